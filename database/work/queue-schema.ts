import type { Environment } from "#domain/environment.ts";

/** Version of graphile-worker; the next run of the stack upgrades another one. */
export const QUEUE_VERSION = "0.18.0";

/** Returns the schema of an environment's queue. `tenantry.enqueue` uses the same rule. */
export function queueSchema(environment: Environment): string {
  return environment === "production" ? "graphile_worker" : `graphile_worker_${environment}`;
}
