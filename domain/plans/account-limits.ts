/** Use of a Cloudflare account's limits by a platform and its tenants. */

import {
  ACCESS_APPLICATIONS,
  ACCESS_GROUPS,
  ACCESS_POLICIES,
  ACCOUNT_API_TOKENS,
  AI_GATEWAYS,
} from "@tenantry/cloudflare-limits/values";
import { type HealthApplication, platformAddresses, tenantAddresses } from "../access/access-addresses.ts";
import { dedicatedGatewayId, type GatewayChoice } from "../ai-gateways/gateway-selection.ts";
import type { Environment } from "../environment.ts";
import { errorLine, type Fault } from "../errors/catalogue-error.ts";
import { planRuleErrors } from "../errors/stack/plan-rules.ts";
import { NEVER_ROTATED, type Rotation, validVersions } from "../rotation.ts";

/** Resources that an account limits. */
export const accountKinds = [
  "accessApplications",
  "accessGroups",
  "accessPolicies",
  "apiTokens",
  "aiGateways",
] as const;
export type AccountKind = (typeof accountKinds)[number];
export type AccountUse = Readonly<Record<AccountKind, number>>;

/** Cloudflare's limits. An account can have other limits. */
export const DEFAULT_ACCOUNT_LIMITS: AccountUse = {
  accessApplications: ACCESS_APPLICATIONS,
  accessGroups: ACCESS_GROUPS,
  accessPolicies: ACCESS_POLICIES,
  apiTokens: ACCOUNT_API_TOKENS,
  aiGateways: AI_GATEWAYS,
};

export const ACCOUNT_NAMES: Readonly<Record<AccountKind, string>> = {
  accessApplications: "Access applications",
  accessGroups: "Access groups",
  accessPolicies: "reusable Access policies",
  apiTokens: "API tokens",
  aiGateways: "AI gateways",
};

/** Settings of a platform that change what each tenant uses. */
export interface TenantShape {
  readonly healthApplication: HealthApplication;
  /** Whether each tenant has an API token for its bucket. */
  readonly bucketCredentials: boolean;
  /** Whether each tenant has a policy that admits service tokens. */
  readonly serviceTokens: boolean;
  /** Rotation of the tenants' tokens; two of each exist during one. Default: never rotated. */
  readonly tokenRotation?: Rotation | undefined;
  /** Rotation of the platform's own tokens; two of each exist during one. Default: never rotated. */
  readonly platformTokenRotation?: Rotation | undefined;
}

export const DEFAULT_TENANT_SHAPE: TenantShape = {
  healthApplication: "shared",
  bucketCredentials: false,
  serviceTokens: true,
};

export interface EnvironmentSize {
  readonly tenants: number;
  /** Tenants with a dedicated AI gateway. */
  readonly dedicatedGateways: number;
}

/** Counting addresses works with any host. */
const ANY = "x";

/** Use of one tenant without its AI gateway. */
export function tenantUse(environment: Environment, shape: TenantShape): AccountUse {
  const applications = tenantAddresses(ANY, environment, ANY, shape.healthApplication).length;
  const own = applications > 0 ? 1 : 0;
  return {
    accessApplications: applications,
    accessGroups: own,
    // One for users, one for service tokens.
    accessPolicies: (shape.serviceTokens ? 2 : 1) * own,
    apiTokens: (shape.bucketCredentials ? 2 : 1) * versionsOf(shape.tokenRotation),
    aiGateways: 0,
  };
}

const versionsOf = (rotation = NEVER_ROTATED) => (validVersions(rotation).other === undefined ? 1 : 2);

/** Use of a platform and of each tenant, without AI gateways. */
export interface EnvironmentNeeds {
  readonly platform: AccountUse;
  readonly tenant: AccountUse;
}
export type AccountNeeds = Readonly<Record<Environment, EnvironmentNeeds>>;

/** Returns the needs of every environment whose platform has these settings. */
export function accountNeeds(shape: TenantShape): AccountNeeds {
  const of = (environment: Environment) => ({
    platform: platformUse(environment, shape),
    tenant: tenantUse(environment, shape),
  });
  return { production: of("production"), staging: of("staging"), development: of("development") };
}

/** Use of a platform without tenants and without its pool of AI gateways. */
export function platformUse(
  environment: Environment,
  { healthApplication, platformTokenRotation }: TenantShape,
): AccountUse {
  // The dashboard; in staging also all tenants' hosts.
  const guarded = environment === "staging" ? 2 : 1;
  return {
    accessApplications: platformAddresses(environment, ANY, healthApplication).length,
    // Two groups of root users: those in the stack file, and all.
    accessGroups: guarded + 2,
    // One policy for public paths.
    accessPolicies: guarded + 1,
    // One for the dispatch Worker, two for the dashboard.
    apiTokens: 3 * versionsOf(platformTokenRotation),
    aiGateways: 0,
  };
}

/**
 * Returns the use of all environments of an account.
 *
 * @param environments the deployed ones
 * @param pooledGateways AI gateways in the pools of all environments
 * @param needs by the settings of this platform, which are assumed for all
 */
export function accountUse(
  environments: ReadonlyMap<Environment, EnvironmentSize>,
  pooledGateways: number,
  needs: AccountNeeds,
): AccountUse {
  const use: Record<AccountKind, number> = {
    accessApplications: 0,
    accessGroups: 0,
    accessPolicies: 0,
    apiTokens: 0,
    aiGateways: pooledGateways,
  };
  for (const [environment, { tenants, dedicatedGateways }] of environments) {
    const { platform, tenant } = needs[environment];
    for (const kind of accountKinds) use[kind] += platform[kind] + tenants * tenant[kind];
    use.aiGateways += dedicatedGateways;
  }
  return use;
}

/** A tenant in the database before a run. */
export interface KnownTenant {
  /** The AI gateway that it binds; `undefined` for none. */
  readonly gateway: { readonly gatewayId: string; readonly pooled: boolean } | undefined;
  /** Whether it was ever deployed; its row exists earlier. */
  readonly isDeployed: boolean;
}

/** The tenants of an environment before a run, and those that the run declares. */
export interface FleetChange {
  environment: Environment;
  /** Every tenant of the environment, by slug. */
  existing: ReadonlyMap<string, KnownTenant>;
  /** The gateway of each declared tenant, by slug. */
  declared: ReadonlyMap<string, GatewayChoice>;
}

/**
 * Returns the environment's size before a run, and its maximum during the run: the engine creates before it deletes. A tenant with a row
 * only counts before the run unless the run declares it.
 */
export function sizesOf({
  environment,
  existing,
  declared,
}: FleetChange): Record<"before" | "during", EnvironmentSize> {
  const ownGateways = (tenants: readonly (readonly [string, KnownTenant])[]) =>
    tenants.flatMap(([slug, { gateway }]) =>
      gateway !== undefined && !gateway.pooled && gateway.gatewayId === dedicatedGatewayId(slug, environment)
        ? [slug]
        : [],
    );
  const deployed = [...existing].filter(([slug, { isDeployed }]) => isDeployed || !declared.has(slug));
  const dedicated = [...declared].flatMap(([slug, { kind }]) => (kind === "dedicated" ? [slug] : []));
  return {
    before: { tenants: deployed.length, dedicatedGateways: ownGateways(deployed).length },
    during: {
      tenants: new Set([...existing.keys(), ...declared.keys()]).size,
      dedicatedGateways: new Set([...ownGateways([...existing]), ...dedicated]).size,
    },
  };
}

/**
 * Returns a sentence for each limit that a run exceeds, with the remedies. A kind that does not grow is accepted, so that an account above
 * a limit can run updates that free some.
 */
export function limitFaults(
  { before, during }: Readonly<Record<"before" | "during", AccountUse>>,
  limits: AccountUse,
  environments: ReadonlyMap<Environment, EnvironmentSize>,
): Fault[] {
  const tenants = [...environments].map(([environment, size]) => `${size.tenants} in ${environment}`).join(", ");
  return accountKinds
    .filter((kind) => during[kind] > limits[kind] && during[kind] > before[kind])
    .map((kind) => {
      const values = { count: during[kind], kind: ACCOUNT_NAMES[kind], tenants, limit: limits[kind], setting: kind };
      return errorLine(planRuleErrors.account_limit_exceeded, values);
    });
}
