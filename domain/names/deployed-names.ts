/** Names of deployed resources, within the vendor's maximum length. */

import { analyticsDataset } from "../analytics-dataset.ts";
import { type Environment, environmentName } from "../environment.ts";
import { slugOfLabel } from "./hostnames.ts";
import { mayBeCut, physicalName } from "./physical-name.ts";

const BUCKET_LENGTH = 63;
const ACCESS_LENGTH = 100;
const AI_GATEWAY_LENGTH = 64;

/** Returns the names of the platform's resources, with the environment's suffix. */
export function platformNames(environment: Environment) {
  const name = (base: string) => environmentName(base, environment);
  return {
    dispatchScript: name("tenantry-dispatch"),
    dashboardScript: name("tenantry-dashboard"),
    dispatchNamespace: name("tenants"),
    tenantIndex: name("tenant-index"),
    fanoutQueue: name("tenant-fanout"),
    hyperdrive: name("tenantry-dashboard"),
    logosBucket: name("tenantry-logos"),
    aiGatewayLogsToken: name("AI gateway logs"),
    analyticsToken: name("Tenantry analytics"),
    serviceTokensToken: name("Tenantry service tokens"),
    analyticsDataset: analyticsDataset(environment),
    rootUsers: name("Platform root users"),
    dashboardApplication: name("Tenantry dashboard"),
    tenantsApplication: name("Tenantry tenants"),
    publicPolicy: name("Tenantry public paths"),
    healthApplication: name("Tenantry health"),
    ordersApplication: name("Tenantry orders"),
    hooksApplication: name("Tenantry hooks"),
  };
}

/** Prefix and maximum length of each name. */
const TENANT_NAMES = {
  backupBucket: ["tenantry-backups-", BUCKET_LENGTH],
  containerApplication: ["tenant-", BUCKET_LENGTH],
  accessApplication: ["Tenant ", ACCESS_LENGTH],
  aiGateway: ["tenantry-", AI_GATEWAY_LENGTH],
  aiGatewayToken: ["AI gateway of ", ACCESS_LENGTH],
  backupToken: ["Backups of ", ACCESS_LENGTH],
  // A tenant has two of each during a rotation.
  secondAiGatewayToken: ["AI gateway (second) of ", ACCESS_LENGTH],
  secondBackupToken: ["Backups (second) of ", ACCESS_LENGTH],
} as const;
export type TenantName = keyof typeof TENANT_NAMES;

export function tenantNames(slug: string, environment: Environment): Readonly<Record<TenantName, string>> {
  const tenant = environmentName(slug, environment);
  const names = Object.entries(TENANT_NAMES).map(([which, [before, most]]) => [
    which,
    physicalName(before + tenant, most),
  ]);
  return Object.fromEntries(names) as Record<TenantName, string>;
}

/** Returns the slug in a tenant's name; `undefined` for other names, other environments, and names that may be truncated. */
export function slugOfName(which: TenantName, name: string, environment: Environment): string | undefined {
  const [before, most] = TENANT_NAMES[which];
  if (!name.startsWith(before) || mayBeCut(name, most)) return undefined;
  return slugOfLabel(name.slice(before.length), environment);
}
