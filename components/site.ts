import type { Environment } from "#domain/environment.ts";

export interface Site {
  environment: Environment;
  accountId: string;
  zoneId: string;
  /** Parent domain of the tenants' hosts. */
  domain: string;
}
