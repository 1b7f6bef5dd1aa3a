import { endSessions } from "#database/callers/end-sessions.ts";
import type { TestDatabase } from "#database/testing/test-database.ts";

/** Runs `work` while the dashboard has no access to its database: no login, no pooled connection. */
export async function withoutDatabase({ pool }: Pick<TestDatabase, "pool">, work: () => Promise<void>): Promise<void> {
  await pool.query("alter role tenantry_dashboard nologin");
  await endSessions(pool, "tenantry_dashboard");
  try {
    await work();
  } finally {
    await pool.query("alter role tenantry_dashboard login");
  }
}
