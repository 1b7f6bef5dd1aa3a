import type { Kysely } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAs } from "../testing/as-caller.ts";
import { insertOwnedRows } from "../testing/owned-rows.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import type { DB } from "../types.ts";
import { listChannelPolicies } from "./channel-policies.ts";

let database: TestDatabase;
let db: Kysely<DB>;
beforeAll(async () => {
  database = await startTestDatabase({ environments: ["production", "development"] });
  db = openAs(database, "service");
  await insertOwnedRows(database);
});
afterAll(async () => {
  await db.destroy();
  await database.stop();
});

test("returns channels of the environment that a partner's or a tenant's policy limits", async () => {
  const { pool } = database;
  const policy = { mode: "allowlist", entries: [{ host: "example.org" }] };
  await pool.query("update tenantry.instances set egress = null");
  await pool.query("update tenantry.partners set egress = null");
  expect(await listChannelPolicies(db)).toEqual([]);
  await pool.query("update tenantry.partners set egress = $1 where slug = 'south'", [policy]);
  const south = { kind: "telegram", slug: "south", partner: "south", partner_policy: policy, tenant_policy: null };
  expect(await listChannelPolicies(db)).toMatchObject([south]);
  await pool.query("update tenantry.instances set egress = $1", [policy]);
  expect(await listChannelPolicies(db, ["south"])).toMatchObject([{ ...south, tenant_policy: policy }]);
  expect((await listChannelPolicies(db)).map(({ slug }) => slug)).toEqual(["internal", "north", "south"]);
});
