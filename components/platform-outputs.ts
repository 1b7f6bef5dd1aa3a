/** What a platform tells the stacks of its tenants; the output `platform` of its stack. */
import * as z from "zod";
import { environments } from "#domain/environment.ts";
import { rotationSteps, tenantSecrets } from "#domain/rotation.ts";
import { toldShape } from "#domain/settings/platform.ts";

/** Ids of the permission groups of the API tokens that tenants get. */
const tokenPermissions = z.object({
  /** Reads and writes the objects of a bucket. */
  bucketObjectWrite: z.string(),
  /** Calls AI gateways. */
  aiGatewayRun: z.string(),
});
export type TokenPermissions = z.infer<typeof tokenPermissions>;

const rotation = z.object({ version: z.number(), step: z.enum(rotationSteps) });

/** Ids of all permission groups of API tokens that a platform gives out. */
export interface PlatformTokenPermissions extends TokenPermissions {
  /** Reads AI gateways and their logs. */
  aiGatewayRead: string;
  /** Of tokens that ask Analytics Engine. */
  analyticsRead: string;
}

export const platformOutputs = z.object({
  /** Raised when a field changes its meaning. */
  version: z.literal(1),
  environment: z.enum(environments),
  domain: z.string(),
  accountId: z.string(),
  zoneId: z.string(),
  /** Base at which the dispatch Worker takes calls of the platform's own. */
  dispatchUrl: z.string(),
  /** Dispatch namespace of tenants' scripts. */
  dispatchNamespace: z.string(),
  /** Access group of the platform's root users, those whom the stack does not name too. */
  rootGroupId: z.string(),
  /** Audience that the platform's root users hold; in staging that of every tenant's host. */
  audience: z.string(),
  /** Access policy that lets everyone pass. */
  publicPolicyId: z.string(),
  ...toldShape,
  /** Base under which the AI gateways lie. */
  aiGatewayUrl: z.string(),
  permissions: tokenPermissions,
  /** How far the rotation of the tenants' API tokens is. Default: they were never rotated. */
  tokenRotation: rotation.optional(),
  /** How far the rotation of the platform's own API tokens is. Default: they were never rotated. */
  platformTokenRotation: rotation.optional(),
  /** Versions of the secrets of which each tenant has its own. Default: they were never rotated. */
  secretVersions: z.partialRecord(z.enum(tenantSecrets), z.number()).optional(),
});
export type PlatformOutputs = z.infer<typeof platformOutputs>;
