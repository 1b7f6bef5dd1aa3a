/** Physical names of what a platform and its tenants deploy, each within its vendor's length. */

import { analyticsDataset } from "./analytics-dataset.ts";
import { type Environment, environmentName } from "./environment.ts";
import { physicalName } from "./physical-name.ts";

const BUCKET_LENGTH = 63;
const ACCESS_LENGTH = 100;

/** Names of the platform's own things; outside production each ends in `-dev` or `-staging`. */
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
    analyticsDataset: analyticsDataset(environment),
    rootUsers: name("Platform root users"),
    dashboardApplication: name("Tenantry dashboard"),
    tenantsApplication: name("Tenantry tenants"),
    publicPolicy: name("Tenantry public paths"),
    healthApplication: name("Tenantry health"),
  };
}

/** Names of one tenant's things. */
export function tenantNames(slug: string, environment: Environment) {
  const tenant = environmentName(slug, environment);
  return {
    backupBucket: physicalName(`tenantry-backups-${tenant}`, BUCKET_LENGTH),
    containerApplication: physicalName(`tenant-${tenant}`, BUCKET_LENGTH),
    accessApplication: physicalName(`Tenant ${tenant}`, ACCESS_LENGTH),
    aiGatewayToken: physicalName(`AI gateway of ${tenant}`, ACCESS_LENGTH),
    backupToken: physicalName(`Backups of ${tenant}`, ACCESS_LENGTH),
  };
}
