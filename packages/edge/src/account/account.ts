/** Names of the one account and the one zone that an edge serves. */
export interface Account {
  /** 32 hexadecimal digits. */
  accountId: string;
  /** 32 hexadecimal digits. */
  zoneId: string;
  /** Name of the zone, below which routes and custom domains lie. Browsers resolve every name under `localhost` to loopback. */
  domain: string;
  /** Host of the Access team: `TEAM.cloudflareaccess.com` at the vendor. */
  teamDomain: string;
}

export const DEFAULT_ACCOUNT: Account = {
  accountId: "ed9e0000000000000000000000000001",
  zoneId: "ed9e0000000000000000000000000002",
  domain: "edge.localhost",
  teamDomain: "edge.cloudflareaccess.localhost",
};
