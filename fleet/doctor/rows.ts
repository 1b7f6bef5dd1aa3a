import type { Kysely } from "kysely";
import { type ChannelPolicies, listChannelPolicies } from "#database/egress/channel-policies.ts";
import { type KnownTenant, knownTenants, type OpenJob, openJobs } from "#database/tenants/known-tenants.ts";
import type { DB } from "#database/types.ts";
import { type FailedPush, failedPushes } from "#database/work/failed-pushes.ts";
import { readCaller } from "#database/work/findings.ts";
import type { Environment } from "#domain/environment.ts";
import { CatalogueError } from "#domain/errors/catalogue-error.ts";
import { fleetRunErrors } from "#domain/errors/commands/fleet-runs.ts";

export interface KnownRows {
  tenants: KnownTenant[];
  jobs: OpenJob[];
  pushes: FailedPush[];
  channels: ChannelPolicies[];
}

/** @throws Error unless the connection has the service's role of this environment: other roles see other rows */
export async function readRows(
  db: Kysely<DB>,
  environment: Environment,
  slugs?: readonly string[],
): Promise<KnownRows> {
  const caller = await readCaller(db);
  if (caller.kind !== "service" || caller.environment !== environment)
    throw new CatalogueError(fleetRunErrors.doctor_database_role_wrong, {
      kind: caller.kind ?? "null",
      found: caller.environment ?? "null",
      environment,
    });
  const [tenants, jobs, pushes, channels] = await Promise.all([
    knownTenants(db, slugs),
    openJobs(db, slugs),
    failedPushes(db, slugs),
    listChannelPolicies(db, slugs),
  ]);
  return { tenants, jobs, pushes, channels };
}
