import type { Environment } from "#domain/environment.ts";

/** Where a platform is deployed. */
export interface Site {
  environment: Environment;
  /** Cloudflare account. */
  accountId: string;
  /** Cloudflare zone of the domain. */
  zoneId: string;
  /** Domain of the zone; tenants are hosts of it. */
  domain: string;
}
