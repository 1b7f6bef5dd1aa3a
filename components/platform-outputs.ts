/** The output `platform` of a platform's stack, which stacks of tenants read. */
import * as z from "zod";
import { environments } from "#domain/environment.ts";
import { rotationSteps, tenantSecrets } from "#domain/rotation.ts";
import { tenantPlatformShape } from "#domain/settings/platform.ts";

const tokenPermissions = z.object({ bucketObjectWrite: z.string(), aiGatewayRun: z.string() });
export type TokenPermissions = z.infer<typeof tokenPermissions>;

const rotation = z.object({ version: z.number(), step: z.enum(rotationSteps) });

export interface PlatformTokenPermissions extends TokenPermissions {
  aiGatewayRead: string;
  analyticsRead: string;
  serviceTokensWrite: string;
}

export const platformOutputs = z.object({
  /** Incremented when the meaning of a field changes. */
  version: z.literal(1),
  environment: z.enum(environments),
  domain: z.string(),
  accountId: z.string(),
  zoneId: z.string(),
  /** Base URL of the dispatch Worker for the platform's own requests. */
  dispatchUrl: z.string(),
  dispatchNamespace: z.string(),
  rootGroupId: z.string(),
  /** Audience of the platform's root users; in staging also of every tenant's host. */
  audience: z.string(),
  publicPolicyId: z.string(),
  ...tenantPlatformShape,
  aiGatewayUrl: z.string(),
  permissions: tokenPermissions,
  tokenRotation: rotation.optional(),
  platformTokenRotation: rotation.optional(),
  secretVersions: z.partialRecord(z.enum(tenantSecrets), z.number()).optional(),
});
export type PlatformOutputs = z.infer<typeof platformOutputs>;
