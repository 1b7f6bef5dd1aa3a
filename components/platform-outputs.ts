/** What a platform tells the stacks of its tenants; the output `platform` of its stack. */
import * as z from "zod";
import { healthApplications } from "#domain/access/access-addresses.ts";
import { accountKinds } from "#domain/account-limits.ts";
import { environments } from "#domain/environment.ts";
import { instanceTypes } from "#domain/instance-type.ts";
import { plans } from "#domain/plan.ts";
import { rotationSteps, tenantSecrets } from "#domain/rotation.ts";

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
  healthApplication: z.enum(healthApplications),
  bucketCredentials: z.boolean(),
  /** What the account may hold. */
  limits: z.record(z.enum(accountKinds), z.number()),
  containerImage: z.string(),
  /** Instance type of each plan's containers. */
  containers: z.record(z.enum(plans), z.enum(instanceTypes)),
  /** Memory that the image's gateway needs, in MiB. */
  gatewayMemoryMiB: z.number(),
  backupRetentionDays: z.number(),
  createDedicatedAiGateways: z.boolean(),
  /** Base under which the AI gateways lie. */
  aiGatewayUrl: z.string(),
  /** Model that new agents use. */
  defaultModel: z.string(),
  pii: z.object({ action: z.enum(["FLAG", "BLOCK"]), profiles: z.array(z.string()) }),
  /** US dollars that a tenant of each plan may spend at the AI gateways in 30 days; null: no limit. */
  aiSpendLimits: z.record(z.enum(plans), z.number().nullable()),
  permissions: tokenPermissions,
  /** How far the rotation of the tenants' API tokens is. Default: they were never rotated. */
  tokenRotation: rotation.optional(),
  /** How far the rotation of the platform's own API tokens is. Default: they were never rotated. */
  platformTokenRotation: rotation.optional(),
  /** Versions of the secrets of which each tenant has its own. Default: they were never rotated. */
  secretVersions: z.partialRecord(z.enum(tenantSecrets), z.number()).optional(),
});
export type PlatformOutputs = z.infer<typeof platformOutputs>;
