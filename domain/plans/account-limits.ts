/** What a platform and its tenants take of what a Cloudflare account may hold. */
import { type HealthApplication, platformAddresses, tenantAddresses } from "../access/access-addresses.ts";
import { dedicatedGatewayId, type GatewayChoice } from "../ai-gateways/gateway-selection.ts";
import type { Environment } from "../environment.ts";
import { NEVER_ROTATED, type Rotation, validVersions } from "../rotation.ts";

/** What an account holds a limited number of. */
export const accountKinds = [
  "accessApplications",
  "accessGroups",
  "accessPolicies",
  "apiTokens",
  "aiGateways",
] as const;
export type AccountKind = (typeof accountKinds)[number];
export type AccountUse = Readonly<Record<AccountKind, number>>;

/**
 * The vendor's limits of an account (vendor: "Account limits" of Cloudflare One; "API limits" for tokens; "Limits" of AI
 * Gateway, for a paid plan). An account's plan may have others.
 */
export const DEFAULT_ACCOUNT_LIMITS: AccountUse = {
  accessApplications: 500,
  accessGroups: 300,
  accessPolicies: 500,
  apiTokens: 500,
  aiGateways: 20,
};

/** As messages call them. */
export const ACCOUNT_NAMES: Readonly<Record<AccountKind, string>> = {
  accessApplications: "Access applications",
  accessGroups: "Access groups",
  accessPolicies: "reusable Access policies",
  apiTokens: "API tokens",
  aiGateways: "AI gateways",
};

/** What a platform's settings make of each of its tenants. */
export interface TenantShape {
  readonly healthApplication: HealthApplication;
  /** Whether each has credentials for its bucket, by an API token. */
  readonly bucketCredentials: boolean;
  /** How far the rotation of their tokens is: meanwhile each has two of a kind. Default: never rotated. */
  readonly tokenRotation?: Rotation | undefined;
  /** How far the rotation of the platform's own tokens is: meanwhile there are two of each. Default: never rotated. */
  readonly platformTokenRotation?: Rotation | undefined;
}

export const DEFAULT_TENANT_SHAPE: TenantShape = { healthApplication: "shared", bucketCredentials: false };

/** How much there is of an environment. */
export interface EnvironmentSize {
  readonly tenants: number;
  /** Tenants that have an AI gateway of their own. */
  readonly dedicatedGateways: number;
}

/** Any host serves to count addresses. */
const ANY = "x";

/** What one tenant takes, its AI gateway aside. */
export function tenantUse(environment: Environment, shape: TenantShape): AccountUse {
  const applications = tenantAddresses(ANY, environment, ANY, shape.healthApplication).length;
  const own = applications > 0 ? 1 : 0;
  return {
    accessApplications: applications,
    accessGroups: own,
    accessPolicies: own,
    apiTokens: (shape.bucketCredentials ? 2 : 1) * versionsOf(shape.tokenRotation),
    aiGateways: 0,
  };
}

/** How many versions of a secret there are at a time. */
const versionsOf = (rotation = NEVER_ROTATED) => (validVersions(rotation).other === undefined ? 1 : 2);

/** What a platform and each of its tenants take, AI gateways aside. */
export interface EnvironmentNeeds {
  readonly platform: AccountUse;
  readonly tenant: AccountUse;
}
export type AccountNeeds = Readonly<Record<Environment, EnvironmentNeeds>>;

/** What every environment takes, if its platform is set like this one. */
export function accountNeeds(shape: TenantShape): AccountNeeds {
  const of = (environment: Environment) => ({
    platform: platformUse(environment, shape),
    tenant: tenantUse(environment, shape),
  });
  return { production: of("production"), staging: of("staging"), development: of("development") };
}

/** What an environment's platform takes without tenants, its pool of AI gateways aside. */
export function platformUse(
  environment: Environment,
  { healthApplication, platformTokenRotation }: TenantShape,
): AccountUse {
  // The dashboard's; in staging that of all tenants' hosts too.
  const guarded = environment === "staging" ? 2 : 1;
  return {
    accessApplications: platformAddresses(environment, ANY, healthApplication).length,
    // Two more for root users: those whom the stack names, and all.
    accessGroups: guarded + 2,
    // One more for what is public.
    accessPolicies: guarded + 1,
    // The dispatch Worker's and the dashboard's.
    apiTokens: 2 * versionsOf(platformTokenRotation),
    aiGateways: 0,
  };
}

/**
 * What all environments of an account take.
 *
 * @param environments those that are deployed, each with its platform
 * @param pooledGateways AI gateways of every environment's pool
 * @param needs of this environment's platform; others are taken to be like it
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

/** A tenant as the database has it before a run. */
export interface KnownTenant {
  /** The AI gateway that it binds; `undefined` where it binds none yet. */
  readonly gateway: { readonly gatewayId: string; readonly pooled: boolean } | undefined;
  /** Whether it was ever deployed: a row is there before anything else of its tenant. */
  readonly isDeployed: boolean;
}

/** What an environment's tenants are before a run, and what the run makes of its own. */
export interface FleetChange {
  environment: Environment;
  /** Every tenant of the environment, by its slug. */
  existing: ReadonlyMap<string, KnownTenant>;
  /** The gateway of each tenant that the run declares, by its slug. */
  declared: ReadonlyMap<string, GatewayChoice>;
}

/**
 * The environment's size before a run, and the most that it is while the run is under way: the engine makes what is new first, and removes
 * what goes at the end. Tenants that only have a row are counted before the run where they are not the run's own to make.
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
  const made = [...existing].filter(([slug, { isDeployed }]) => isDeployed || !declared.has(slug));
  const dedicated = [...declared].flatMap(([slug, { kind }]) => (kind === "dedicated" ? [slug] : []));
  return {
    before: { tenants: made.length, dedicatedGateways: ownGateways(made).length },
    during: {
      tenants: new Set([...existing.keys(), ...declared.keys()]).size,
      dedicatedGateways: new Set([...ownGateways([...existing]), ...dedicated]).size,
    },
  };
}

/**
 * What the account cannot hold: a sentence each, with the numbers, the ways out and the setting that tells the limit. What does not grow is
 * not refused, or an account that is over a limit already would stop every run, also one that makes room.
 *
 * @param before what the account holds already
 */
export function limitFaults(
  { before, during }: Readonly<Record<"before" | "during", AccountUse>>,
  limits: AccountUse,
  environments: ReadonlyMap<Environment, EnvironmentSize>,
): string[] {
  const tenants = [...environments].map(([environment, size]) => `${size.tenants} in ${environment}`).join(", ");
  return accountKinds
    .filter((kind) => during[kind] > limits[kind] && during[kind] > before[kind])
    .map(
      (kind) =>
        `${during[kind]} ${ACCOUNT_NAMES[kind]} (tenants: ${tenants}), of which it may hold ${limits[kind]}: remove tenants in a run of ` +
        `its own, or take them to another account; where its plan has more, set limits.${kind} under tenantry:platform in the platform's stack`,
    );
}
