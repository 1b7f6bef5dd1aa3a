/** What a platform and its tenants take of what a Cloudflare account may hold. */
import { type HealthApplication, platformAddresses, tenantAddresses } from "./access/access-addresses.ts";
import { dedicatedGatewayId, type GatewayChoice } from "./ai-gateways/gateway-selection.ts";
import type { Environment } from "./environment.ts";

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
    apiTokens: shape.bucketCredentials ? 2 : 1,
    aiGateways: 0,
  };
}

/** What an environment's platform takes without tenants, its pool of AI gateways aside. */
export function platformUse(environment: Environment, { healthApplication }: TenantShape): AccountUse {
  // The dashboard's; in staging that of all tenants' hosts too.
  const guarded = environment === "staging" ? 2 : 1;
  return {
    accessApplications: platformAddresses(environment, ANY, healthApplication).length,
    // Two more for root users: those whom the stack names, and all.
    accessGroups: guarded + 2,
    // One more for what is public.
    accessPolicies: guarded + 1,
    // The dispatch Worker's and the dashboard's.
    apiTokens: 2,
    aiGateways: 0,
  };
}

/**
 * What all environments of an account take.
 *
 * @param environments those that are deployed, each with its platform
 * @param pooledGateways AI gateways of every environment's pool
 * @param shape of this environment's platform; others are taken to be like it
 */
export function accountUse(
  environments: ReadonlyMap<Environment, EnvironmentSize>,
  pooledGateways: number,
  shape: TenantShape,
): AccountUse {
  const use: Record<AccountKind, number> = {
    accessApplications: 0,
    accessGroups: 0,
    accessPolicies: 0,
    apiTokens: 0,
    aiGateways: pooledGateways,
  };
  for (const [environment, { tenants, dedicatedGateways }] of environments) {
    const [platform, tenant] = [platformUse(environment, shape), tenantUse(environment, shape)];
    for (const kind of accountKinds) use[kind] += platform[kind] + tenants * tenant[kind];
    use.aiGateways += dedicatedGateways;
  }
  return use;
}

/** What an environment's tenants are before a run, and what the run makes of its own. */
export interface FleetChange {
  environment: Environment;
  /** The gateway that each tenant there is binds, by its slug. */
  existing: ReadonlyMap<string, { readonly gatewayId: string; readonly pooled: boolean }>;
  /** The gateway of each tenant that the run declares, by its slug. */
  declared: ReadonlyMap<string, GatewayChoice>;
  /** Slugs of tenants that the run removes. */
  removed: ReadonlySet<string>;
}

/** The environment's size when the run has ended. */
export function sizeAfter({ environment, existing, declared, removed }: FleetChange): EnvironmentSize {
  const others = [...existing].filter(([slug]) => !declared.has(slug) && !removed.has(slug));
  const ownGateway = ([slug, { gatewayId, pooled }]: (typeof others)[number]) =>
    !pooled && gatewayId === dedicatedGatewayId(slug, environment);
  return {
    tenants: others.length + declared.size,
    dedicatedGateways:
      others.filter(ownGateway).length + [...declared.values()].filter(({ kind }) => kind === "dedicated").length,
  };
}

/** What the account cannot hold: a sentence each, with the numbers, the ways out and the setting that tells the limit. */
export function limitFaults(
  use: AccountUse,
  limits: AccountUse,
  environments: ReadonlyMap<Environment, EnvironmentSize>,
): string[] {
  const tenants = [...environments].map(([environment, size]) => `${size.tenants} in ${environment}`).join(", ");
  return accountKinds
    .filter((kind) => use[kind] > limits[kind])
    .map(
      (kind) =>
        `${use[kind]} ${ACCOUNT_NAMES[kind]} (tenants: ${tenants}), of which it may hold ${limits[kind]}: remove tenants or take them to ` +
        `another account; where its plan has more, set limits.${kind} under tenantry:platform in the platform's stack`,
    );
}
