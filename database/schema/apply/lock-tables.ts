/** Locks the tables that an upgrade changes before the first change. */
import { hasTable, type Queryable, TABLE_OF_0_1 } from "../bookkeeping.ts";
import type { SchemaSource } from "../source.ts";
import { refusedPlans } from "./plans.ts";
import { findOutdatedRoutines, findUndeclaredRoutines } from "./routines.ts";

/** PostgreSQL: query_canceled, lock_not_available. */
const LOCK_TIMEOUT = new Set(["57014", "55P03"]);

/** Below PostgreSQL's deadlock_timeout of 1 s: after a longer wait for some tables, requests that wait for others would fail as deadlocks. */
const WAIT = "400ms";

export class TablesBusy extends Error {
  override readonly name = "TablesBusy";
}

/** Runs within the caller's transaction. @throws TablesBusy if the caller must retry the transaction */
export async function lockTables(client: Queryable, source: SchemaSource): Promise<void> {
  if (!(await changesTables(client, source))) return;
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace = 'tenantry'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  if (rows.length === 0) return;
  await client.query(`set local statement_timeout = '${WAIT}'`);
  try {
    await client.query(`lock table ${rows.map(({ name }) => name).join(", ")} in access exclusive mode`);
  } catch (error) {
    if (!LOCK_TIMEOUT.has(String((error as { code?: string }).code))) throw error;
    throw new TablesBusy("The tables are in use.", { cause: error });
  }
  await client.query("set local statement_timeout = 0");
}

/** Replacing functions locks no table. */
async function changesTables(client: Queryable, source: SchemaSource): Promise<boolean> {
  const { migrations, routines } = source;
  if (!(await hasTable(client, "tenantry.migrations"))) return hasTable(client, TABLE_OF_0_1);
  const { rows } = await client.query<{ applied: number }>("select count(*)::int as applied from tenantry.migrations");
  if ((rows[0]?.applied ?? 0) < migrations.length) return true;
  if ((await refusedPlans(client, source)).length > 0) return true;
  const touched = [
    ...(await findOutdatedRoutines(client, routines)),
    ...(await findUndeclaredRoutines(client, routines)),
  ];
  return touched.some(({ kind }) => kind !== "function");
}
