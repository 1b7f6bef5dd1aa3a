import type { TestDatabase } from "../../../database/testing/test-database.ts";

/** Does something while the dashboard can neither log in to its database nor use a connection of the pooler. */
export async function withoutDatabase({ pool }: Pick<TestDatabase, "pool">, work: () => Promise<void>): Promise<void> {
  await pool.query("alter role tenantry_dashboard nologin");
  await pool.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'tenantry_dashboard'");
  try {
    await work();
  } finally {
    await pool.query("alter role tenantry_dashboard login");
  }
}
