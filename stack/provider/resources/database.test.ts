import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { pluginEnvironment, startServer } from "@tenantry/plugin-host";
import { changed, type TestStack, testStack } from "@tenantry/plugin-host/testing/test-stack";
import { type Database, removeDatabase, startDatabase } from "@tenantry/postgres";
import { copyEmptyCluster } from "@tenantry/postgres/testing/prepared-cluster";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { DatabaseRecord } from "#components/resources/database-record.ts";
import { Migrations } from "#components/resources/migrations.ts";
import { RemovalCheck } from "#components/resources/removal-check.ts";
import { TenantryProvider } from "#components/resources/tenantry-provider.ts";
import { readSchemaSource } from "#database/schema/source.ts";
import { tenantry } from "../tenantry.ts";

const PROVIDER = join(import.meta.dirname, "..");

let directory: string;
let database: Database;
let server: Awaited<ReturnType<typeof startServer>>;
let stack: TestStack;
let client: pg.Client;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "tenantry-records-"));
  await copyEmptyCluster(join(directory, "postgres"));
  database = await startDatabase({ directory: join(directory, "postgres"), name: "tenantry", log: () => {} });
  client = new pg.Client(database.url);
  await client.connect();
  await client.query("create schema tenantry; create schema api; create schema dashboard");
  server = await startServer([tenantry]);
  stack = await testStack(pluginEnvironment(server), { tenantry: PROVIDER });
}, 120_000);

afterAll(async () => {
  await client?.end();
  await stack?.dispose();
  await server?.stop();
  await database?.stop();
  // For root, the data is outside the directory.
  await removeDatabase(join(directory, "postgres"));
  await rm(directory, { recursive: true, force: true });
});

interface Wanted {
  slug?: string;
  plan?: string;
  instance?: boolean;
}

/** A partner, its client and, by default, the client's instance. */
function program({ slug = "acme", plan = "pro", instance = true }: Wanted = {}) {
  return async () => {
    const provider = new TenantryProvider("tenantry", { databaseUrl: database.url });
    const schema = new Migrations("schema", {}, { provider });
    const options = { provider, dependsOn: [schema] };
    const partner = new DatabaseRecord(
      "partner",
      {
        table: "tenantry.partners",
        key: { slug: "umbrella" },
        values: { name: "Umbrella", style: { logo: "a'b\"c", views: [1, 2] } },
      },
      options,
    );
    const row = new DatabaseRecord(
      "client",
      {
        table: "tenantry.clients",
        key: { slug },
        values: { name: "Acme", billing_plan: plan, partner_id: partner.recordId },
        initial: { status: "active" },
      },
      options,
    );
    if (instance) {
      // Unknown before the client's row exists, so the provider is unknown in the first preview.
      const databaseUrl = pulumi.interpolate`${database.url}&application_name=${row.recordId}`;
      const late = new TenantryProvider("late", { databaseUrl });
      new DatabaseRecord(
        "instance",
        {
          table: "tenantry.instances",
          key: { client_id: row.recordId },
          values: { environment: "production", worker_name: "tenant-acme", ai_gateway_pool_id: null },
        },
        { provider: late },
      );
    }
    return { client: row.recordId, version: schema.version };
  };
}

async function clients() {
  return (await client.query("select slug, name, billing_plan, status from tenantry.clients order by slug")).rows;
}

async function failure(): Promise<string> {
  return stack.stack.up().then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

// The life of one stack: each test continues after the previous one.
describe("records and migrations through the engine", () => {
  test("a preview of an empty database writes nothing", async () => {
    stack.program(program());
    expect((await stack.stack.preview()).changeSummary).toEqual({ create: 7 });
    expect((await client.query("select 1 from pg_tables where schemaname = 'tenantry'")).rowCount).toBe(0);
  }, 120_000);

  test("the first run creates schema and rows, the second nothing; the URL is encrypted in the state", async () => {
    const first = await stack.stack.up();
    expect(changed(first)).toEqual({ create: 7 });
    expect((await stack.stack.outputs()).version?.value).toBe(readSchemaSource().migrations.at(-1)?.number);
    expect(await clients()).toEqual([{ slug: "acme", name: "Acme", billing_plan: "pro", status: "active" }]);
    expect(await stack.state()).not.toContain(new URL(database.url).password);
    expect(changed(await stack.stack.up())).toEqual({ same: 7 });
  }, 120_000);

  test("a change writes only its own row and columns, and none that are written only on insert", async () => {
    await client.query("update tenantry.clients set status = 'production'");
    stack.program(program({ plan: "basic" }));
    expect(changed(await stack.stack.up())).toEqual({ same: 6, update: 1 });
    expect(await clients()).toEqual([{ slug: "acme", name: "Acme", billing_plan: "basic", status: "production" }]);
  }, 120_000);

  test("refresh finds manual changes and deletions, and up reverts them", async () => {
    await client.query("update tenantry.clients set name = 'Someone', billing_plan = 'free'");
    await client.query("update tenantry.partners set style = '{}'");
    await client.query("delete from tenantry.instances");
    expect(changed(await stack.stack.refresh())).toEqual({ same: 4, update: 2, delete: 1 });
    expect(changed(await stack.stack.up())).toEqual({ same: 4, update: 2, create: 1 });
    expect(await clients()).toEqual([{ slug: "acme", name: "Acme", billing_plan: "basic", status: "production" }]);
    const style = await client.query("select style from tenantry.partners");
    expect(style.rows).toEqual([{ style: { logo: "a'b\"c", views: [1, 2] } }]);
    expect(changed(await stack.stack.refresh())).toEqual({ same: 7 });
  }, 120_000);

  test("a refresh shows a manually changed right and function, and the next run restores them", async () => {
    await client.query("revoke select on tenantry.clients from tenantry_service_rights");
    await client.query(
      "create or replace function tenantry.caller_kind() returns text language sql stable as 'select null::text'",
    );
    expect(changed(await stack.stack.refresh())).toEqual({ same: 6, update: 1 });
    expect(changed(await stack.stack.up())).toEqual({ same: 6, update: 1 });
    const { rows } = await client.query(
      "select tenantry.caller_kind() as kind, has_table_privilege('tenantry_service_rights', 'tenantry.clients', 'select') as may",
    );
    expect(rows).toEqual([{ kind: "owner", may: true }]);
    expect(changed(await stack.stack.refresh())).toEqual({ same: 7 });
  }, 120_000);

  test("errors of the database are one sentence", async () => {
    stack.program(program({ slug: "dash" }));
    expect(await failure()).toContain("The slug is not allowed. Use at most 59 lowercase letters, digits and hyphens");
    stack.program(async () => {
      const provider = new TenantryProvider("tenantry", { databaseUrl: database.url });
      new DatabaseRecord(
        "wrong",
        { table: "tenantry.partners", key: { slug: "x" }, values: { size: 1 } },
        { provider },
      );
    });
    expect(await failure()).toContain("Table tenantry.partners has no column 'size'.");
    stack.program(async () => {
      new DatabaseRecord("ambient", { table: "tenantry.partners", key: { slug: "x" } });
    });
    expect(await failure()).toContain("No database URL: set TENANTRY_DATABASE_URL");
    stack.program(async () => {
      new DatabaseRecord("odd", { table: "partners; drop table x", key: { slug: "x" } });
    });
    expect(await failure()).toContain("must be a table with its schema, such as 'tenantry.clients'");
  }, 120_000);

  test("a row that others refer to is not deleted", async () => {
    stack.program(async () => {});
    // Rows are deleted before the rows that they refer to; an unknown row blocks it.
    const partner = (await client.query("select id from tenantry.partners")).rows[0].id;
    await client.query(
      "insert into tenantry.clients (slug, name, billing_plan, partner_id) values ('other', 'Other', 'free', $1)",
      [partner],
    );
    expect(await failure()).toContain(
      "The partner still has clients. Delete them or move them to another partner first.",
    );
    await client.query("delete from tenantry.clients where slug = 'other'");
  }, 120_000);

  test("existing rows are adopted, and a new key replaces", async () => {
    await client.query("insert into tenantry.clients (slug, name, billing_plan) values ('acme', 'Lost', 'free')");
    const { id } = (await client.query("select id from tenantry.clients where slug = 'acme'")).rows[0];
    stack.program(program());
    await stack.stack.up();
    expect((await stack.stack.outputs()).client?.value).toBe(id);
    expect(await clients()).toEqual([{ slug: "acme", name: "Acme", billing_plan: "pro", status: "draft" }]);
    stack.program(program({ slug: "acme-two", instance: false }));
    await stack.stack.up();
    expect(await clients()).toEqual([{ slug: "acme-two", name: "Acme", billing_plan: "pro", status: "active" }]);
  }, 120_000);

  test("a row of another stack is neither adopted, changed nor deleted; a row without an owner is adopted", async () => {
    const owned = async () => (await client.query("select owner from tenantry.clients")).rows;
    const own = "urn:pulumi:test::providers-test::tenantry:index:DatabaseRecord::client";
    expect(await owned()).toEqual([{ owner: own }]);
    const declared = program({ slug: "acme-two", instance: false });
    await client.query("update tenantry.clients set owner = null");
    stack.program(program({ slug: "acme-two", instance: false, plan: "basic" }));
    await stack.stack.up();
    expect(await owned()).toEqual([{ owner: own }]);

    const other = "urn:pulumi:prod::tenantry::tenantry:index:DatabaseRecord::client-acme";
    await client.query("update tenantry.clients set owner = $1", [other]);
    const refusal = "The row of tenantry.clients for acme-two belongs to the stack tenantry/prod";
    stack.program(declared);
    expect(await failure()).toContain(refusal);
    await expect(stack.stack.destroy()).rejects.toThrow(refusal);
    expect(await clients()).toMatchObject([{ slug: "acme-two", billing_plan: "basic" }]);
    expect(await owned()).toEqual([{ owner: other }]);
    await client.query("update tenantry.clients set owner = $1", [own]);
    await stack.stack.up();
  }, 120_000);

  test("a client that was handed over to the dashboard is not removed with its stack, which releases its row", async () => {
    const declaring = (parts: "all" | "record" | "none") => async () => {
      const provider = new TenantryProvider("tenantry", { databaseUrl: database.url });
      if (parts === "none") return;
      const key = { slug: "handed" };
      const values = { name: "Handed", billing_plan: "pro", managed_by: "git" };
      const record = new DatabaseRecord("handed", { table: "tenantry.clients", key, values }, { provider });
      if (parts === "record") return;
      const records = [{ table: "tenantry.clients", key }];
      new RemovalCheck("handed", { name: "handed", records }, { provider, dependsOn: [record] });
    };
    const other = await testStack(pluginEnvironment(server), { tenantry: PROVIDER });
    onTestFinished(() => other.dispose());
    other.program(declaring("all"));
    await other.stack.up();
    await client.query("update tenantry.clients set managed_by = 'dashboard' where slug = 'handed'");
    await expect(other.stack.destroy()).rejects.toThrow(
      "handed was not removed, and nothing has changed. The dashboard manages this client",
    );
    const row = async () =>
      (await client.query("select managed_by, owner is null as free from tenantry.clients where slug = 'handed'")).rows;
    expect(await row()).toEqual([{ managed_by: "dashboard", free: false }]);
    const checks = (await other.stack.exportStack()).deployment.resources.filter(({ type }: { type: string }) =>
      type.endsWith(":RemovalCheck"),
    );
    expect(checks).toHaveLength(1);

    // As in a release: rows that are no longer declared are released.
    await client.query("update tenantry.clients set managed_by = 'git' where slug = 'handed'");
    other.program(declaring("record"));
    await other.stack.up();
    await client.query("update tenantry.clients set managed_by = 'dashboard' where slug = 'handed'");
    other.program(declaring("none"));
    await other.stack.up();
    expect(await row()).toEqual([{ managed_by: "dashboard", free: true }]);
    await client.query("delete from tenantry.clients where slug = 'handed'");
  }, 120_000);

  test("a row is imported by its key, and destroy keeps the schema", async () => {
    await client.query("insert into tenantry.partners (slug, name) values ('globex', 'Globex')");
    const declared = program({ slug: "acme-two", instance: false });
    stack.program(async () => {
      const outputs = await declared();
      const provider = new TenantryProvider("other", { databaseUrl: database.url });
      new DatabaseRecord(
        "globex",
        { table: "tenantry.partners", key: { slug: "globex" }, values: { name: "Globex" } },
        { provider, import: "tenantry.partners/slug=globex" },
      );
      return outputs;
    });
    expect(changed(await stack.stack.up())).toMatchObject({ import: 1 });
    await stack.stack.destroy();
    expect(await clients()).toEqual([]);
    const left = await client.query("select count(*)::int as count from tenantry.migrations");
    expect(left.rows).toEqual([{ count: readSchemaSource().migrations.length }]);
  }, 120_000);
});
