/** The output `platform` of a platform's stack, which stacks of tenants read. */
import * as z from "zod";
import { environments } from "#domain/environment.ts";
import { rotationSteps, tenantSecrets } from "#domain/rotation.ts";
import { toldShape } from "#domain/settings/platform.ts";

/** Ids of permission groups for tenants' API tokens. */
const tokenPermissions = z.object({ bucketObjectWrite: z.string(), aiGatewayRun: z.string() });
export type TokenPermissions = z.infer<typeof tokenPermissions>;

const rotation = z.object({ version: z.number(), step: z.enum(rotationSteps) });

/** Ids of permission groups for all API tokens of a platform. */
export interface PlatformTokenPermissions extends TokenPermissions {
  aiGatewayRead: string;
  analyticsRead: string;
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
  /** Access group of all root users. */
  rootGroupId: z.string(),
  /** Audience of the platform's root users; in staging also of every tenant's host. */
  audience: z.string(),
  /** Access policy that allows everyone. */
  publicPolicyId: z.string(),
  ...toldShape,
  aiGatewayUrl: z.string(),
  permissions: tokenPermissions,
  /** Rotation of the tenants' API tokens. Default: never rotated. */
  tokenRotation: rotation.optional(),
  /** Rotation of the platform's API tokens. Default: never rotated. */
  platformTokenRotation: rotation.optional(),
  /** Versions of the secrets that each tenant has. Default: never rotated. */
  secretVersions: z.partialRecord(z.enum(tenantSecrets), z.number()).optional(),
});
export type PlatformOutputs = z.infer<typeof platformOutputs>;
