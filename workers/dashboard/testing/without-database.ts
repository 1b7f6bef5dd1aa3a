import { endSessions } from "#database/callers/end-sessions.ts";
import type { TestDatabase } from "#database/testing/test-database.ts";

/** Does something while the dashboard can neither log in to its database nor use a connection of the pooler. */
export async function withoutDatabase({ pool }: Pick<TestDatabase, "pool">, work: () => Promise<void>): Promise<void> {
  await pool.query("alter role tenantry_dashboard nologin");
  await endSessions(pool, "tenantry_dashboard");
  try {
    await work();
  } finally {
    await pool.query("alter role tenantry_dashboard login");
  }
}
