import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAs } from "../testing/as-caller.ts";
import { insertOwnedRows, type OwnedRows } from "../testing/owned-rows.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { DB } from "../types.ts";
import { failedPushes } from "./failed-pushes.ts";

let database: TestDatabase;
let db: Kysely<DB>;
let owned: OwnedRows;
beforeAll(async () => {
  database = await startTestDatabase({ environments: ["production", "development"] });
  db = openAs(database, "service");
  owned = await insertOwnedRows(database);
});
afterAll(async () => {
  await db.destroy();
  await database.stop();
});

test("returns what tenants of the environment did not receive, with the error", async () => {
  expect(await failedPushes(db)).toEqual([]);
  const { pool } = database;
  await pool.query("update tenantry.channels set fault = 'push_failed', last_error = 'Old Worker.'");
  await pool.query(
    "update tenantry.provider_keys set fault = 'push_failed', last_error = 'Asleep.', last_error_at = now()",
  );
  await pool.query("update tenantry.instances set egress_fault = 'push_failed', egress_last_error = 'Old Worker.'");
  const id = (table: string) => owned.rows.get(table)?.values.south;
  expect(await failedPushes(db, ["south"])).toEqual([
    { job: "push_channels", id: id("channels"), name: "telegram", slug: "south", error: "Old Worker." },
    { job: "push_egress", id: id("instances"), name: "", slug: "south", error: "Old Worker." },
    { job: "push_provider_keys", id: id("provider_keys"), name: "openai", slug: "south", error: "Asleep." },
  ]);
  const slugs = new Set((await failedPushes(db)).map(({ slug }) => slug));
  expect([...slugs]).toEqual(["internal", "north", "south"]);
  await pool.query("update tenantry.provider_keys set fault = 'rejected'");
  await pool.query("update tenantry.channels set fault = 'token_rejected'");
  expect((await failedPushes(db, ["south"])).map(({ job }) => job)).toEqual(["push_egress"]);
});
