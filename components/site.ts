import type { Environment } from "#domain/environment.ts";

/** Location of a platform. */
export interface Site {
  environment: Environment;
  /** Cloudflare account. */
  accountId: string;
  /** Cloudflare zone of the domain. */
  zoneId: string;
  /** Parent domain of the tenants' hosts. */
  domain: string;
}
