import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestDatabase, type TestDatabase } from "../../database/testing/test-database.ts";
import { runFor } from "../../plugin-host/run.ts";
import { connect } from "../clients.ts";
import { contentHash } from "../content/content-hash.ts";
import { migrations } from "./migrations.ts";

const DIRECTORY = fileURLToPath(new URL("../../database/migrations", import.meta.url));

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase({ migrated: false });
});
afterAll(() => database.stop());

test("stacks that bring one database up to date at the same moment do so one after another", async () => {
  const given = { directory: DIRECTORY, contentHash: contentHash(DIRECTORY), table: "tenantry.schema_migrations" };
  // Each with an address of its own, as several processes have: they share no connection.
  const runs = ["one", "two", "three"].map((name) => {
    const clients = connect({ databaseUrl: `${database.url}&application_name=${name}` }, {});
    return migrations.create(clients, given, runFor(undefined, "", new AbortController().signal));
  });
  const versions = (await Promise.all(runs)).map(({ state }) => state.version);
  const { rows } = await database.pool.query("select max(version) as latest from tenantry.schema_migrations");
  expect(versions).toEqual(versions.map(() => rows[0].latest));
});
