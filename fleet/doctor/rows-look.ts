/** The database as the automation service's role sees it: the platform's own rows of its environment, and no more rights than they take. */
import type { Kysely } from "kysely";
import { type KnownTenant, knownTenants, type OpenJob, openJobs } from "#database/tenants/known-tenants.ts";
import type { DB } from "#database/types.ts";
import { callerOf } from "#database/work/findings.ts";
import type { Environment } from "#domain/environment.ts";

export interface RowsLook {
  tenants: KnownTenant[];
  jobs: OpenJob[];
}

/** @throws Error where another role, or another environment's, would see other rows or none */
export async function lookAtRows(
  db: Kysely<DB>,
  environment: Environment,
  slugs?: readonly string[],
): Promise<RowsLook> {
  const caller = await callerOf(db);
  if (caller.kind !== "service" || caller.environment !== environment)
    throw new Error(`the database was entered as ${caller.kind} of ${caller.environment}, whose rows are others`);
  const [tenants, jobs] = await Promise.all([knownTenants(db, slugs), openJobs(db, slugs)]);
  return { tenants, jobs };
}
