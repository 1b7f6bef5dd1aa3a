import { silentRun } from "@tenantry/plugin-host/testing/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSchemaSource, schemaHash } from "#database/schema/source.ts";
import { startTestDatabase, type TestDatabase } from "#database/testing/test-database.ts";
import { SCHEMA_RELEASE } from "#domain/release.ts";
import { connectClients } from "../clients.ts";
import { migrations } from "./migrations.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase({ migrated: false });
});
afterAll(() => database.stop());

const run = silentRun();
const given = { contentHash: schemaHash(), release: SCHEMA_RELEASE };

test("a missing role of the queue stops the deployment before anything changes", async () => {
  const clients = connectClients({ databaseUrl: database.url }, {});
  const queue = { schema: "graphile_worker", role: "tenantry_service", version: "0.18.0" };
  await expect(migrations.create(clients, { ...given, queue }, run)).rejects.toThrow(
    "The database lacks role tenantry_service, which the platform's stack creates. Run `pulumi refresh`, then `pulumi up`. Nothing was changed.",
  );
  const { rows } = await database.pool.query("select to_regclass('tenantry.clients') as found");
  expect(rows).toEqual([{ found: null }]);
});

test("stacks that upgrade one database at the same moment do so one after another", async () => {
  // Each with an address of its own, as several processes have: they share no connection.
  const runs = ["one", "two", "three"].map((name) => {
    const clients = connectClients({ databaseUrl: `${database.url}&application_name=${name}` }, {});
    return migrations.create(clients, given, run);
  });
  const versions = (await Promise.all(runs)).map(({ state }) => state.version);
  const latest = readSchemaSource().migrations.at(-1)?.number;
  expect(versions).toEqual([latest, latest, latest]);
});

test("a state of version 0.1.0 is updated in place", () => {
  const old = { directory: "/old/database/migrations", contentHash: "0", table: "tenantry.schema_migrations" };
  const { changes, replaces } = migrations.diff(old, given);
  expect(changes.map(({ property }) => property).toSorted()).toEqual(["contentHash", "release"]);
  expect(replaces).toEqual([]);
});
