import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { poolOf } from "./pool.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

test("limits connections, statements and responses, and probes silent connections, so that a hanging database does not block a run", async () => {
  const pool = poolOf(database.url);
  expect((await pool.query("show statement_timeout")).rows).toEqual([{ statement_timeout: "2min" }]);
  const { connectionTimeoutMillis, query_timeout, keepAlive, keepAliveInitialDelayMillis } = pool.options;
  expect([keepAlive, keepAliveInitialDelayMillis]).toEqual([true, 10_000]);
  for (const limit of [connectionTimeoutMillis, query_timeout]) expect(limit).toBeLessThanOrEqual(180_000);
});
