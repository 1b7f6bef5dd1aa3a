/** The one Cloudflare account that the local edge serves; `Pulumi.local.yaml` names the same ids. */
export const ACCOUNT_ID = "10ca1000000000000000000000000001";
export const ZONE_ID = "10ca1000000000000000000000000002";
/** Browsers resolve every name under `localhost` to loopback. */
export const DOMAIN = "tenantry.localhost";
export const TEAM_DOMAIN = "tenantry.cloudflareaccess.localhost";
