/** The database as the automation service's role sees it: the platform's own rows of its environment, and no more rights than they take. */
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { connectionString } from "../../database/connection/connection-string.ts";
import { type KnownTenant, knownTenants, type OpenJob, openJobs } from "../../database/tenants/known-tenants.ts";
import type { DB } from "../../database/types.ts";
import { callerOf } from "../../database/work/findings.ts";
import type { Environment } from "../../domain/environment.ts";

const CONNECT_MS = 10_000;
const QUERY_MS = 60_000;

/** @param url with the rights of the service's role; each query may take a minute */
export function openRows(url: string): Kysely<DB> {
  const pool = new pg.Pool({
    connectionString: connectionString(url),
    application_name: "tenantry-doctor",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    max: 3,
  });
  // A server that ends its connections is noticed by the next query, which says so.
  pool.on("error", () => undefined);
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}

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
