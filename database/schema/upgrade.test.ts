/** Upgrades of a database: what is applied, what is refused, and that a refusal changes nothing. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { RELEASE } from "#domain/release.ts";
import { startTestDatabase, type TestDatabase } from "../testing/test-database.ts";
import { dumpSchema } from "./dump.ts";
import { inspectSchema } from "./inspect.ts";
import { readSchemaSource, SCHEMA_DIRECTORY, type SchemaSource } from "./source.ts";
import { upgradeSchema } from "./upgrade.ts";

/** Numbers of the last migration, and of those after it. */
const LAST = readSchemaSource().migrations.at(-1)?.number ?? "";
const ahead = (count: number) => String(Number(LAST) + count).padStart(4, "0");
const NEXT = ahead(1);

let server: TestDatabase;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());

let databases = 0;

/** A database with the current schema, and a copy of its files for changes. */
async function upgraded() {
  const name = `upgrade_${++databases}`;
  await server.pool.query(`create database ${name}`);
  const url = new URL(server.url);
  url.pathname = name;
  const pool = new pg.Pool({ connectionString: url.href, max: 4 });
  // Connections that are closing when the server stops fail without a listener.
  pool.on("error", () => undefined);
  await pool.query("create schema tenantry; create schema api; create schema dashboard");
  await upgradeSchema(url.href);
  const directory = await mkdtemp(join(tmpdir(), "tenantry-schema-"));
  for (const folder of ["migrations", "routines"])
    await cp(join(SCHEMA_DIRECTORY, folder), join(directory, folder), { recursive: true });
  onTestFinished(async () => {
    await pool.end();
    await rm(directory, { recursive: true });
  });
  const inside = async <T>(task: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    try {
      await client.query("begin");
      return await task(client);
    } finally {
      await client.query("rollback");
      client.release();
    }
  };
  const source = (): SchemaSource => readSchemaSource(directory);
  return {
    pool,
    url: url.href,
    source,
    dump: () => inside(dumpSchema),
    findings: async (of = source()) => (await inside((client) => inspectSchema(client, of))).findings,
    upgrade: () => upgradeSchema(url.href, { source: source() }),
    write: (file: string, text: string) => writeFile(join(directory, file), text),
    edit: async (file: string, from: string, to: string) => {
      const text = await readFile(join(directory, file), "utf8");
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
      await writeFile(join(directory, file), text.replace(from, to));
    },
  };
}

describe("an upgrade", () => {
  test("of an unchanged database applies nothing", async () => {
    const database = await upgraded();
    expect(await database.upgrade()).toEqual({ migration: LAST, migrated: [], routines: [] });
    expect(await database.findings()).toEqual([]);
  });

  test("runs a new migration, replaces a changed routine and drops a removed one, and touches nothing else", async () => {
    const database = await upgraded();
    await database.write(`migrations/${NEXT}_colour.sql`, "alter table tenantry.partners add column colour text;\n");
    await database.edit("routines/callers.sql", "'owner')", "'nobody')");
    await database.edit(
      "routines/versions.sql",
      "create policy readable on tenantry.schema_version for select using (true);",
      "",
    );
    expect(await database.findings()).toEqual([
      `The migration ${NEXT}_colour was not applied.`,
      "The function tenantry.caller_kind differs from database/routines/callers.sql.",
      "The policy readable on tenantry.schema_version is not defined in database/routines.",
    ]);
    expect(await database.upgrade()).toEqual({
      migration: NEXT,
      migrated: [NEXT],
      routines: ["function tenantry.caller_kind", "policy readable on tenantry.schema_version"],
    });
    const { rows } = await database.pool.query("select tenantry.caller_kind() as kind");
    expect(rows).toEqual([{ kind: "nobody" }]);
    expect(await database.findings()).toEqual([]);
  });

  test("changes a function's arguments, and preserves triggers and policies that use it", async () => {
    const database = await upgraded();
    const before = await database.dump();
    await database.edit(
      "routines/callers.sql",
      "function tenantry.sees_all()",
      "function tenantry.sees_all(p_any text default '')",
    );
    const { routines } = await database.upgrade();
    expect(routines).toContain("function tenantry.sees_all");
    expect(routines).toContain("policy in_scope on tenantry.clients");
    const after = await database.dump();
    expect(after.replaceAll("sees_all(''::text)", "sees_all()").match(/^create policy .*$/gm)).toEqual(
      before.match(/^create policy .*$/gm),
    );
    expect(await database.findings()).toEqual([]);
  });

  test("restores what was changed by hand", async () => {
    const database = await upgraded();
    const before = await database.dump();
    await database.pool.query(`
      drop policy in_scope on tenantry.clients;
      alter table tenantry.instances disable trigger check_status;
      create function tenantry.extra() returns integer language sql as 'select 1';
      grant execute on function tenantry.delete_client to public;
      grant delete on tenantry.audit_log to tenantry_service_rights;
      revoke insert on tenantry.jobs from tenantry_platform_root_rights;
      revoke tenantry_service_rights from tenantry_service`);
    expect(await database.findings()).toEqual([
      "The function tenantry.delete_client differs from database/routines/clients.sql.",
      "The policy in_scope on tenantry.clients differs from database/routines/clients.sql.",
      "The trigger check_status on tenantry.instances differs from database/routines/instances.sql.",
      "The function tenantry.extra is not defined in database/routines.",
      "The role tenantry_platform_root_rights lacks INSERT on table tenantry.jobs.",
      "The role tenantry_service is not a member of tenantry_service_rights.",
      "The role tenantry_service_rights has rights that are not declared: DELETE on table tenantry.audit_log.",
    ]);
    await database.upgrade();
    expect(await database.dump()).toBe(before);
    expect(await database.findings()).toEqual([]);
  });

  test("waits for a request that holds a table, and then succeeds", async () => {
    const database = await upgraded();
    await database.edit(
      "routines/clients.sql",
      "create policy in_scope on tenantry.clients using (",
      "create policy in_scope on tenantry.clients using (true and ",
    );
    const request = await database.pool.connect();
    await request.query("begin; update tenantry.clients set name = name");
    const upgrade = database.upgrade();
    // While the upgrade waits, it must not block later requests.
    await expect(database.pool.query("select count(*) from tenantry.clients")).resolves.toBeDefined();
    await request.query("commit");
    request.release();
    expect((await upgrade).routines).toEqual(["policy in_scope on tenantry.clients"]);
  });
});

describe("the round trips of an upgrade while it holds the tables", () => {
  /** From the lock of the tables to the end of the transaction. */
  async function roundTrips(upgrade: () => Promise<unknown>): Promise<number> {
    const query = vi.spyOn(pg.Client.prototype, "query");
    try {
      await upgrade();
      const sent = query.mock.calls.map((call: unknown[]) => String(call[0]));
      return sent.indexOf("commit") - sent.findIndex((sql) => sql.startsWith("lock table"));
    } finally {
      query.mockRestore();
    }
  }

  test("do not grow with the number of routines", async () => {
    const database = await upgraded();
    await database.pool.query("delete from tenantry.routines");
    expect(database.source().routines.length).toBeGreaterThan(150);
    expect(await roundTrips(database.upgrade)).toBeLessThan(40);
    expect(await database.findings()).toEqual([]);
  });

  test("grow by few for a function whose arguments change", async () => {
    const database = await upgraded();
    await database.pool.query("delete from tenantry.routines");
    await database.edit(
      "routines/callers.sql",
      "function tenantry.sees_all()",
      "function tenantry.sees_all(p_any text default '')",
    );
    expect(await roundTrips(database.upgrade)).toBeLessThan(150);
    expect(await database.findings()).toEqual([]);
  });
});

describe("an upgrade is refused, and nothing changes, for", () => {
  /** @returns the refusal's message */
  async function refused(database: Awaited<ReturnType<typeof upgraded>>): Promise<string> {
    const before = await database.dump();
    const message = await database.upgrade().then(
      () => "",
      (error: Error) => error.message,
    );
    expect(await database.dump()).toBe(before);
    return message;
  }

  test("a migration that fails, with those before it", async () => {
    const database = await upgraded();
    await database.write(`migrations/${NEXT}_colour.sql`, "alter table tenantry.partners add column colour text;\n");
    await database.write(`migrations/${ahead(2)}_broken.sql`, "drop table tenantry.nowhere;\n");
    expect(await refused(database)).toBe(
      `The migration ${ahead(2)}_broken failed: table "nowhere" does not exist. Correct the file; nothing was changed.`,
    );
  });

  test("a routine with a syntax error, with the migrations before it", async () => {
    const database = await upgraded();
    await database.write(`migrations/${NEXT}_colour.sql`, "alter table tenantry.partners add column colour text;\n");
    await database.edit("routines/callers.sql", "select coalesce(", "selekt coalesce(");
    expect(await refused(database)).toBe(
      'PostgreSQL rejects function tenantry.caller_environment, line 2 of the statement in database/routines/callers.sql: syntax error at or near "selekt". Correct the file; nothing was changed.',
    );
  });

  test("an edited migration", async () => {
    const database = await upgraded();
    await database.edit("migrations/0002_versions.sql", "-- The version of the schema.", "-- The schema's version.");
    expect(await refused(database)).toBe(
      'The migration 0002_versions was applied as versions with other content. Restore the file, and put the change into a new migration ("npm run database:new NAME"). Nothing was changed.',
    );
  });

  test("a number that is used twice, missing or out of order", async () => {
    const database = await upgraded();
    await database.write("migrations/0002_again.sql", "select 1;\n");
    expect(() => database.source()).toThrow(
      "The migration 0002_versions.sql has the wrong number: 0003 is next. Rename it.",
    );
    const other = await upgraded();
    await other.write(`migrations/${ahead(2)}_gap.sql`, "select 1;\n");
    expect(() => other.source()).toThrow(
      `The migration ${ahead(2)}_gap.sql has the wrong number: ${NEXT} is next. Rename it.`,
    );
    const dated = await upgraded();
    await dated.write("migrations/20261124000001_dated.sql", "select 1;\n");
    expect(() => dated.source()).toThrow("The migration 20261124000001_dated.sql is misnamed");
  });

  test("a migration that only a later checkout has", async () => {
    const database = await upgraded();
    await database.pool.query("insert into tenantry.migrations (number, name, checksum) values ($1, 'later', 'x')", [
      NEXT,
    ]);
    expect(await refused(database)).toBe(
      `The database has the migration ${NEXT}_later, which this checkout of version ${RELEASE} lacks. Deploy a checkout that has it. Nothing was changed.`,
    );
  });

  test("a schema of a later version", async () => {
    const database = await upgraded();
    await database.pool.query("update tenantry.schema_version set version = '9.10.0'");
    expect(await refused(database)).toBe(
      `The database has the schema of version 9.10.0, and this is version ${RELEASE}. Deploy version 9.10.0 or later. Nothing was changed.`,
    );
  });

  test("a statement that does not define a routine", async () => {
    const database = await upgraded();
    await database.write("routines/tables.sql", "create table tenantry.things (id int);\n");
    expect(() => database.source()).toThrow(
      "tables.sql has a statement that does not define a routine: create table tenantry.things (id int);",
    );
  });

  test("a database of a version before 0.1.0", async () => {
    const database = await upgraded();
    await database.pool.query(`
      drop table tenantry.migrations;
      create table tenantry.schema_migrations (version varchar primary key);
      insert into tenantry.schema_migrations values ('20261101000001'), ('20261124000010')`);
    expect(await refused(database)).toMatch(
      /^The database has migrations of a version before 0\.1\.0 \(the last is 20261124000010\)\. Tenantry 0\.2\.0 upgrades databases whose last migration is 20261125000010_versions or later\./,
    );
  });

  test("a server that stops in the middle", async () => {
    const database = await upgraded();
    await database.write(
      `migrations/${NEXT}_slow.sql`,
      "alter table tenantry.partners add column colour text; select pg_sleep(30);\n",
    );
    const before = await database.dump();
    const upgrade = database.upgrade().then(
      () => undefined,
      (error: unknown) => error,
    );
    await expect
      .poll(async () => {
        const { rows } = await server.pool.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(30)%' and pid <> pg_backend_pid()",
        );
        return rows.length;
      })
      .toBeGreaterThan(0);
    expect(await upgrade).toBeInstanceOf(Error);
    expect(await database.dump()).toBe(before);
  });
});
