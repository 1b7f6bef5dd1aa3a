import type { Environment } from "#domain/environment.ts";

/** Version of graphile-worker whose schema is installed: another one is brought up to date by the next run of the stack. */
export const QUEUE_VERSION = "0.18.0";

/** Schema of an environment's queue, so that none takes another's work; `tenantry.enqueue` knows it by the same rule. */
export function queueSchema(environment: Environment): string {
  return environment === "production" ? "graphile_worker" : `graphile_worker_${environment}`;
}
