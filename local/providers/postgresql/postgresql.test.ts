import * as postgresql from "@pulumi/postgresql";
import * as random from "@pulumi/random";
import { missingOutputs } from "@tenantry/plugin-host/testing/declared-outputs";
import { changed } from "@tenantry/plugin-host/testing/test-stack";
import { compareSync } from "bcryptjs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { failureOf, openTestStack, TestServer } from "./testing/test-server.ts";

let server: TestServer;
let stack: Awaited<ReturnType<typeof openTestStack>>;
beforeAll(async () => {
  server = await TestServer.start();
  stack = await openTestStack();
}, 120_000);
afterAll(async () => {
  await stack?.close();
  await server?.stop();
});

/** A role with quotes in its name, a random password, and privileges on a schema's tables. */
function program({ privileges = ["SELECT"], login = true, rotation = "1" } = {}) {
  return async () => {
    const provider = server.provider();
    const password = new random.RandomPassword("password", {
      length: 40,
      special: false,
      minUpper: 3,
      minNumeric: 3,
      keepers: { rotation },
    });
    const group = new postgresql.Role("group", { name: "group" }, { provider });
    const reader = new postgresql.Role(
      "reader",
      { name: `the "reader"`, login, password: password.result, roles: [group.name] },
      { provider },
    );
    new postgresql.GrantRole("member", { role: reader.name, grantRole: group.name }, { provider });
    // The plugin does not order the drop of a schema after that of a role with objects in it.
    const schema = new postgresql.Schema(
      "app",
      { name: "app", database: "tenantry", dropCascade: true },
      { provider, dependsOn: reader },
    );
    const on = { database: "tenantry", role: reader.name, schema: schema.name };
    new postgresql.Grant("schema", { ...on, objectType: "schema", privileges: ["USAGE"] }, { provider });
    new postgresql.Grant("tables", { ...on, objectType: "table", privileges }, { provider });
    new postgresql.Grant(
      "functions",
      { ...on, objectType: "function", privileges: ["EXECUTE"], objects: [] },
      { provider },
    );
    const later = { database: "tenantry", owner: server.url.username, role: reader.name, schema: schema.name };
    new postgresql.DefaultPrivileges(
      "later",
      { ...later, objectType: "sequence", privileges: ["SELECT"] },
      { provider },
    );
    return { role: reader.name, password: password.result, hash: password.bcryptHash };
  };
}

async function query(sql: string, login: { role: string; password: string }): Promise<unknown> {
  const url = new URL(server.url);
  url.username = encodeURIComponent(login.role);
  url.password = encodeURIComponent(login.password);
  const own = new pg.Client(url.href);
  await own.connect();
  try {
    return (await own.query(sql)).rows;
  } finally {
    await own.end();
  }
}

// The lifecycle of one stack: each test continues the previous one.
describe("roles, schemas and grants through the engine", () => {
  const login = { role: "", password: "" };

  test("creates a role that can log in, changes nothing in the second run, and encrypts the password in the state", async () => {
    stack.program(program());
    const first = await stack.stack.up();
    expect(await missingOutputs(stack)).toEqual([]);
    expect(changed(first)).toEqual({ create: 11 });
    const outputs = await stack.stack.outputs();
    login.role = String(outputs.role?.value);
    login.password = String(outputs.password?.value);
    expect(outputs.password?.secret).toBe(true);
    expect(outputs.hash?.secret).toBe(true);
    expect(compareSync(login.password, String(outputs.hash?.value))).toBe(true);
    expect(login.password).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(await query("select 1 as one", login)).toEqual([{ one: 1 }]);
    expect(await query("select pg_has_role('group', 'member') as member", login)).toEqual([{ member: true }]);
    expect(changed(await stack.stack.up())).toEqual({ same: 11 });
    expect(changed(await stack.stack.refresh())).toEqual({ same: 11 });
    expect(await stack.state()).not.toContain(login.password);
    expect(await stack.state()).not.toContain(decodeURIComponent(server.url.password));
  }, 120_000);

  test("reports new tables as drift, and grants them in the next run", async () => {
    await server.client.query("create table app.things (id int); insert into app.things values (7)");
    await server.client.query("create table app.others (id int)");
    await expect(query("select * from app.things", login)).rejects.toThrow("permission denied");
    expect(changed(await stack.stack.refresh())).toEqual({ same: 10, update: 1 });
    expect(changed(await stack.stack.up())).toEqual({ same: 10, update: 1 });
    expect(await query("select * from app.things", login)).toEqual([{ id: 7 }]);
  }, 120_000);

  test("grants new objects by default privileges, and reports a revoked default as drift", async () => {
    await server.client.query("create sequence app.counter");
    expect(await query("select is_called from app.counter", login)).toEqual([{ is_called: false }]);
    await server.client.query('alter default privileges in schema app revoke all on sequences from "the ""reader"""');
    // The vendor's plugin treats completely revoked default privileges as deleted.
    expect(changed(await stack.stack.refresh())).toEqual({ same: 10, delete: 1 });
    expect(changed(await stack.stack.up())).toEqual({ same: 10, create: 1 });
    await server.client.query("create sequence app.other");
    expect(await query("select is_called from app.other", login)).toEqual([{ is_called: false }]);
  }, 120_000);

  test("reports manual changes in a refresh, and reverts them in the next run", async () => {
    await server.client.query('alter role "the ""reader""" nologin createdb; revoke "group" from "the ""reader"""');
    await server.client.query('grant delete on app.things to "the ""reader"""');
    expect(changed(await stack.stack.refresh())).toEqual({ same: 8, update: 2, delete: 1 });
    expect(changed(await stack.stack.up())).toEqual({ same: 8, update: 2, create: 1 });
    await expect(query("delete from app.things", login)).rejects.toThrow("permission denied");
    expect(await query("select rolcreatedb from pg_roles where rolname = current_user", login)).toEqual([
      { rolcreatedb: false },
    ]);
  }, 120_000);

  test("updates privileges and passwords in place, and replaces a random password when its keepers change", async () => {
    stack.program(program({ privileges: ["SELECT", "DELETE"], rotation: "2" }));
    const result = await stack.stack.up();
    expect(changed(result)).toEqual({ same: 8, update: 2, replace: 1 });
    await expect(query("select 1", login)).rejects.toThrow("password authentication failed");
    const outputs = await stack.stack.outputs();
    login.password = String(outputs.password?.value);
    expect(await query("delete from app.things returning id", login)).toEqual([{ id: 7 }]);
  }, 120_000);

  test("refuses to create an existing role after the state was lost", async () => {
    const { version, deployment } = await stack.stack.exportStack();
    await stack.stack.importStack({ version, deployment: { ...deployment, resources: [] } });
    expect(await failureOf(stack.stack.up())).toContain('role "group" already exists');
    await stack.stack.importStack({ version, deployment });
    expect(changed(await stack.stack.up())).toEqual({ same: 11 });
  }, 120_000);

  test("drops role and schema on destroy, also of a role that owns objects", async () => {
    await server.client.query('create table app.owned (id int); alter table app.owned owner to "the ""reader"""');
    await stack.stack.destroy();
    const roles = await server.client.query("select 1 from pg_roles where rolname in ('group', 'the \"reader\"')");
    const schemas = await server.client.query("select 1 from pg_namespace where nspname = 'app'");
    expect([roles.rowCount, schemas.rowCount]).toEqual([0, 0]);
  }, 120_000);

  test("reports errors in one sentence", async () => {
    const failure = () => failureOf(stack.stack.up());
    stack.program(async () => {
      new postgresql.Schema("nowhere", { name: "x" });
    });
    expect(await failure()).toContain("No PostgreSQL server is configured. Set `postgresql:host` or PGHOST");
    stack.program(async () => {
      new random.RandomPassword("short", { length: 2, minUpper: 3 });
    });
    expect(await failure()).toContain("must be at least the sum of the minimums");
  }, 120_000);
});
