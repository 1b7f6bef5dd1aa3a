export interface Account {
  /** 32 hexadecimal digits. */
  accountId: string;
  /** 32 hexadecimal digits. */
  zoneId: string;
  /** Name of the zone, the parent of routes and custom domains. Browsers resolve every name under `localhost` to loopback. */
  domain: string;
  /** Host of the Access team, such as `TEAM.cloudflareaccess.com`. */
  teamDomain: string;
}

export const DEFAULT_ACCOUNT: Account = {
  accountId: "ed9e0000000000000000000000000001",
  zoneId: "ed9e0000000000000000000000000002",
  domain: "edge.localhost",
  teamDomain: "edge.cloudflareaccess.localhost",
};
