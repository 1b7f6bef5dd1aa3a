import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { poolOf } from "./pool.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

test("a database that hangs holds no run for ever: connections, statements and answers have limits, and silent ones are probed", async () => {
  const pool = poolOf(database.url);
  expect((await pool.query("show statement_timeout")).rows).toEqual([{ statement_timeout: "2min" }]);
  const { connectionTimeoutMillis, query_timeout, keepAlive, keepAliveInitialDelayMillis } = pool.options;
  expect([keepAlive, keepAliveInitialDelayMillis]).toEqual([true, 10_000]);
  for (const limit of [connectionTimeoutMillis, query_timeout]) expect(limit).toBeLessThanOrEqual(180_000);
});
