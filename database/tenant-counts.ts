/** Queries on how many tenants there are. */
import { type Kysely, sql } from "kysely";
import type { EnvironmentSize } from "../domain/account-limits.ts";
import type { Environment } from "../domain/slug.ts";
import type { DB } from "./types.ts";

/** The size of every environment that is deployed; empty while the database does not tell. */
export async function readTenantCounts(db: Kysely<DB>): Promise<ReadonlyMap<Environment, EnvironmentSize>> {
  // A run reads before its migrations: the function may be missing still.
  const { rows: known } = await sql<{
    known: boolean;
  }>`select to_regprocedure('tenantry.tenant_counts()') is not null as known`.execute(db);
  if (known[0]?.known !== true) return new Map();
  const { rows } = await sql<{
    environment: Environment;
    tenants: number;
    dedicated: number;
  }>`select environment, tenants::int, dedicated::int from tenantry.tenant_counts()`.execute(db);
  return new Map(
    rows.map(({ environment, tenants, dedicated }) => [environment, { tenants, dedicatedGateways: dedicated }]),
  );
}
