/** The account of the local platform. `Pulumi.local.yaml` names the same ids. */
import type { Account } from "@tenantry/edge";

export const ACCOUNT_ID = "10ca1000000000000000000000000001";
export const ZONE_ID = "10ca1000000000000000000000000002";
export const DOMAIN = "tenantry.localhost";
export const TEAM_DOMAIN = "tenantry.cloudflareaccess.localhost";

export const LOCAL_ACCOUNT: Account = {
  accountId: ACCOUNT_ID,
  zoneId: ZONE_ID,
  domain: DOMAIN,
  teamDomain: TEAM_DOMAIN,
};
