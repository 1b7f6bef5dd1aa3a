import { type Kysely, sql } from "kysely";
import type { Environment } from "#domain/environment.ts";
import type { EnvironmentSize } from "#domain/plans/account-limits.ts";
import { rowsIfKnown } from "../not-migrated.ts";
import type { DB } from "../types.ts";

/** Returns the size of every deployed environment; empty before the migration that adds the function. */
export async function readTenantCounts(db: Kysely<DB>): Promise<ReadonlyMap<Environment, EnvironmentSize>> {
  const found = sql<{ environment: Environment; tenants: number; dedicated: number }>`
    select environment, tenants::int, dedicated::int from tenantry.tenant_counts()`;
  const rows = await rowsIfKnown(db, found);
  return new Map(
    rows.map(({ environment, tenants, dedicated }) => [environment, { tenants, dedicatedGateways: dedicated }]),
  );
}
