/** Queries on how many tenants there are. */
import { type Kysely, sql } from "kysely";
import type { Environment } from "#domain/environment.ts";
import type { EnvironmentSize } from "#domain/plans/account-limits.ts";
import { rowsIfKnown } from "../not-migrated.ts";
import type { DB } from "../types.ts";

/** The size of every environment that is deployed; empty while the database does not tell. */
export async function readTenantCounts(db: Kysely<DB>): Promise<ReadonlyMap<Environment, EnvironmentSize>> {
  const found = sql<{ environment: Environment; tenants: number; dedicated: number }>`
    select environment, tenants::int, dedicated::int from tenantry.tenant_counts()`;
  const rows = await rowsIfKnown(db, found);
  return new Map(
    rows.map(({ environment, tenants, dedicated }) => [environment, { tenants, dedicatedGateways: dedicated }]),
  );
}
