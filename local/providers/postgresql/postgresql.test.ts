import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as postgresql from "@pulumi/postgresql";
import * as random from "@pulumi/random";
import type { Properties } from "@tenantry/plugin-host/properties";
import { runFor } from "@tenantry/plugin-host/run";
import type { ProviderServer } from "@tenantry/plugin-host/server";
import { pluginEnvironment } from "@tenantry/plugin-host/server";
import { missingOutputs } from "@tenantry/plugin-host/testing/declared-outputs";
import { changed, type TestStack, testStack } from "@tenantry/plugin-host/testing/test-stack";
import { type Database, removeDatabase, startDatabase } from "@tenantry/postgres";
import { layCluster } from "@tenantry/postgres/testing/made-cluster";
import { compareSync } from "bcryptjs";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { pluginPaths } from "../plugin-paths.ts";
import { startProviders } from "../providers.ts";
import { connect } from "./connection.ts";
import { defaultPrivileges } from "./default-privileges.ts";
import { grant } from "./grant.ts";
import { grantRole } from "./grant-role.ts";
import { role } from "./role.ts";
import { schema } from "./schema.ts";

let directory: string;
let database: Database;
let client: pg.Client;
let server: ProviderServer;
let stack: TestStack;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "tenantry-roles-"));
  await layCluster(join(directory, "postgres"));
  database = await startDatabase({ directory: join(directory, "postgres"), name: "tenantry", log: () => {} });
  client = new pg.Client(database.url);
  await client.connect();
  server = await startProviders();
  stack = await testStack(
    pluginEnvironment(server),
    Object.fromEntries(pluginPaths.map(({ name, path }) => [name, path])),
  );
}, 120_000);

afterAll(async () => {
  await client?.end();
  await stack?.dispose();
  await server?.stop();
  await database?.stop();
  // As root its data lie outside the directory.
  await removeDatabase(join(directory, "postgres"));
  await rm(directory, { recursive: true, force: true });
});

/** The provider that programs declare. */
function serverOf(url: URL) {
  return new postgresql.Provider("server", {
    host: url.hostname,
    port: Number(url.port),
    database: "tenantry",
    username: url.username,
    password: decodeURIComponent(url.password),
    sslmode: "disable",
    superuser: false,
  });
}

/** A role with quotes in its name logs in with a random password and may read a schema's tables. */
function program({ privileges = ["SELECT"], login = true, rotation = "1" } = {}) {
  return async () => {
    const url = new URL(database.url);
    const provider = serverOf(url);
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
    // The plugin does not keep a schema from being dropped while a role's things in it are.
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
    const later = { database: "tenantry", owner: url.username, role: reader.name, schema: schema.name };
    new postgresql.DefaultPrivileges(
      "later",
      { ...later, objectType: "sequence", privileges: ["SELECT"] },
      { provider },
    );
    return { role: reader.name, password: password.result, hash: password.bcryptHash };
  };
}

async function query(sql: string, login: { role: string; password: string }): Promise<unknown> {
  const url = new URL(database.url);
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

/** The message of the error; empty without one. */
const failureOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

// One stack's life, told in order: each part goes on where the last one ended.
describe("roles, schemas and grants through the engine", () => {
  const login = { role: "", password: "" };

  test("the first run makes a role that can log in, the second nothing; the password is encrypted in the state", async () => {
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
    expect(await stack.state()).not.toContain(decodeURIComponent(new URL(database.url).password));
  }, 120_000);

  test("tables made since are drift, and the next run grants them too", async () => {
    await client.query("create table app.things (id int); insert into app.things values (7)");
    await client.query("create table app.others (id int)");
    await expect(query("select * from app.things", login)).rejects.toThrow("permission denied");
    expect(changed(await stack.stack.refresh())).toEqual({ same: 10, update: 1 });
    expect(changed(await stack.stack.up())).toEqual({ same: 10, update: 1 });
    expect(await query("select * from app.things", login)).toEqual([{ id: 7 }]);
  }, 120_000);

  test("what its owner makes later is granted from the start, and a revoked default is drift", async () => {
    await client.query("create sequence app.counter");
    expect(await query("select is_called from app.counter", login)).toEqual([{ is_called: false }]);
    await client.query('alter default privileges in schema app revoke all on sequences from "the ""reader"""');
    // The vendor's plugin takes default privileges that are all revoked for gone.
    expect(changed(await stack.stack.refresh())).toEqual({ same: 10, delete: 1 });
    expect(changed(await stack.stack.up())).toEqual({ same: 10, create: 1 });
    await client.query("create sequence app.other");
    expect(await query("select is_called from app.other", login)).toEqual([{ is_called: false }]);
  }, 120_000);

  test("what was changed by hand shows in a refresh, and the next run puts it back", async () => {
    await client.query('alter role "the ""reader""" nologin createdb; revoke "group" from "the ""reader"""');
    await client.query('grant delete on app.things to "the ""reader"""');
    expect(changed(await stack.stack.refresh())).toEqual({ same: 8, update: 2, delete: 1 });
    expect(changed(await stack.stack.up())).toEqual({ same: 8, update: 2, create: 1 });
    await expect(query("delete from app.things", login)).rejects.toThrow("permission denied");
    expect(await query("select rolcreatedb from pg_roles where rolname = current_user", login)).toEqual([
      { rolcreatedb: false },
    ]);
  }, 120_000);

  test("new privileges and a new password are updates; its keepers replace the password", async () => {
    stack.program(program({ privileges: ["SELECT", "DELETE"], rotation: "2" }));
    const result = await stack.stack.up();
    expect(changed(result)).toEqual({ same: 8, update: 2, replace: 1 });
    await expect(query("select 1", login)).rejects.toThrow("password authentication failed");
    const outputs = await stack.stack.outputs();
    login.password = String(outputs.password?.value);
    expect(await query("delete from app.things returning id", login)).toEqual([{ id: 7 }]);
  }, 120_000);

  test("a lost state is refused at the role that is there, and adopts schemas", async () => {
    const { version, deployment } = await stack.stack.exportStack();
    await stack.stack.importStack({ version, deployment: { ...deployment, resources: [] } });
    expect(await failureOf(stack.stack.up())).toContain('role "group" already exists');
    await stack.stack.importStack({ version, deployment });
    expect(changed(await stack.stack.up())).toEqual({ same: 11 });
  }, 120_000);

  test("destroy drops role and schema, also of a role that owns something", async () => {
    await client.query('create table app.owned (id int); alter table app.owned owner to "the ""reader"""');
    await stack.stack.destroy();
    const roles = await client.query("select 1 from pg_roles where rolname in ('group', 'the \"reader\"')");
    const schemas = await client.query("select 1 from pg_namespace where nspname = 'app'");
    expect([roles.rowCount, schemas.rowCount]).toEqual([0, 0]);
  }, 120_000);

  test("an error is one sentence", async () => {
    const failure = () => failureOf(stack.stack.up());
    stack.program(async () => {
      new postgresql.Schema("nowhere", { name: "x" });
    });
    expect(await failure()).toContain("No PostgreSQL server: set `postgresql:host`, or PGHOST");
    stack.program(async () => {
      new random.RandomPassword("short", { length: 2, minUpper: 3 });
    });
    expect(await failure()).toContain("must be at least the sum of the minimums");
  }, 120_000);
});

const privileges = async (role: string, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ privilege: string }>(
    `select privilege_type as privilege from information_schema.role_table_grants
     where grantee = $1 and table_name = $2 order by 1`,
    [role, table],
  );
  return rows.map(({ privilege }) => privilege);
};

const memberships = async (role: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select pg_get_userbyid(roleid)::text as name from pg_auth_members where pg_get_userbyid(member) = $1 order by 1`,
    [role],
  );
  return rows.map(({ name }) => name);
};

describe("what a change of inputs does through the engine", () => {
  beforeAll(async () => {
    await client.query("create schema change; create table change.one (id int); create table change.two (id int)");
  });
  afterEach(() => stack.stack.destroy(), 120_000);
  afterAll(() => client.query("drop schema change cascade"));

  const withGrant =
    (objects: string[], withGrantOption = false) =>
    async () => {
      const provider = serverOf(new URL(database.url));
      const { name: role } = new postgresql.Role("changed", { name: "changed" }, { provider });
      const on = { database: "tenantry", role, schema: "change", objectType: "table" };
      new postgresql.Grant("g", { ...on, objects, privileges: ["SELECT"], withGrantOption }, { provider });
    };

  // Why the platform does not declare rights on named objects: a table that is added takes the rights on all others away.
  test("other objects of a grant delete it first: the rights are lost until the new one is made, and stay lost where it fails", async () => {
    stack.program(withGrant(["one"]));
    await stack.stack.up();
    expect(await privileges("changed", "one")).toEqual(["SELECT"]);

    stack.program(withGrant(["one", "nowhere"]));
    const refused = await failureOf(stack.stack.up());
    expect(refused).toContain('relation "change.nowhere" does not exist');
    expect(await privileges("changed", "one")).toEqual([]);

    stack.program(withGrant(["one", "two"]));
    await stack.stack.up();
    expect(await privileges("changed", "one")).toEqual(["SELECT"]);
    expect(await privileges("changed", "two")).toEqual(["SELECT"]);
  }, 120_000);

  test("a grant whose object is gone can be neither changed nor deleted", async () => {
    await client.query("create table change.gone (id int)");
    stack.program(withGrant(["gone", "one"]));
    await stack.stack.up();
    await client.query("drop table change.gone");
    stack.program(withGrant(["one"]));
    expect(await failureOf(stack.stack.up())).toContain('relation "change.gone" does not exist');
    await client.query("create table change.gone (id int)");
  }, 120_000);

  test("a new password takes a role out of every role that it does not list", async () => {
    const withRole = (password: string, roles?: string[]) => async () => {
      const provider = serverOf(new URL(database.url));
      const group = new postgresql.Role("group", { name: "a group" }, { provider });
      const member = new postgresql.Role(
        "member",
        { name: "a member", login: true, password, ...(roles && { roles }) },
        { provider, dependsOn: group },
      );
      new postgresql.GrantRole("in", { role: member.name, grantRole: group.name }, { provider });
    };
    stack.program(withRole("one"));
    await stack.stack.up();
    expect(await memberships("a member")).toEqual(["a group"]);
    stack.program(withRole("two"));
    await stack.stack.up();
    expect(await memberships("a member")).toEqual([]);

    stack.program(withRole("two", ["a group"]));
    await stack.stack.up();
    expect(await memberships("a member")).toEqual(["a group"]);
    stack.program(withRole("three", ["a group"]));
    await stack.stack.up();
    expect(await memberships("a member")).toEqual(["a group"]);
    expect(changed(await stack.stack.refresh())).toEqual({ same: 5 });
  }, 120_000);

  test("another option of a membership makes the new one first, and the delete of the old one ends it", async () => {
    const withOption = (withAdminOption: boolean) => async () => {
      const provider = serverOf(new URL(database.url));
      const group = new postgresql.Role("group", { name: "a group" }, { provider });
      const member = new postgresql.Role("member", { name: "a member" }, { provider });
      new postgresql.GrantRole("in", { role: member.name, grantRole: group.name, withAdminOption }, { provider });
    };
    stack.program(withOption(false));
    await stack.stack.up();
    stack.program(withOption(true));
    expect(changed(await stack.stack.up())).toMatchObject({ replace: 1 });
    expect(await memberships("a member")).toEqual([]);
  }, 120_000);

  test("another option of default privileges makes the new ones first, and the delete of the old ones revokes them", async () => {
    const withOption = (withGrantOption: boolean) => async () => {
      const url = new URL(database.url);
      const provider = serverOf(url);
      const { name: role } = new postgresql.Role("changed", { name: "changed" }, { provider });
      const of = { database: "tenantry", owner: url.username, role, schema: "change", objectType: "table" };
      new postgresql.DefaultPrivileges("d", { ...of, privileges: ["SELECT"], withGrantOption }, { provider });
    };
    stack.program(withOption(false));
    await stack.stack.up();
    stack.program(withOption(true));
    expect(changed(await stack.stack.up())).toMatchObject({ replace: 1 });
    await client.query("create table change.later (id int)");
    expect(await privileges("changed", "later")).toEqual([]);
  }, 120_000);
});

/** What the vendor's plugin refuses, and what it takes for gone, without the engine. */
describe("the resources themselves", () => {
  const run = runFor(undefined, "", new AbortController().signal);
  const connectionOf = (more: { username?: string; password?: string; superuser?: boolean } = {}) => {
    const url = new URL(database.url);
    const login = { username: url.username, password: decodeURIComponent(url.password), superuser: false };
    const server = { host: url.hostname, port: Number(url.port), database: "tenantry", sslmode: "disable" };
    return connect({ ...server, ...login, ...more }, {});
  };
  const on = { database: "tenantry", role: "direct", schema: "direct" };
  const inputsOf = (kind: { check: typeof grant.check }, given: Properties) => kind.check(given, "").inputs;

  beforeAll(async () => {
    await client.query("create role direct; create schema direct; create table direct.one (id int)");
  });
  afterAll(async () => {
    await client.query("drop schema direct cascade; drop owned by direct; drop role direct");
  });

  test.each([
    [{ objectType: "table", privileges: ["EXECUTE"] }, "EXECUTE is not an allowed privilege for object type table"],
    [{ objectType: "table", privileges: ["select"] }, "select is not an allowed privilege for object type table"],
    [{ objectType: "schema", privileges: ["USAGE"], objects: ["one"] }, "cannot specify `objects`"],
    [{ objectType: "table", privileges: ["SELECT"], schema: undefined }, "parameter 'schema' is mandatory"],
    [{ objectType: "table", privileges: ["SELECT"], schema: "nowhere" }, "could not find schema 'nowhere'"],
    [{ objectType: "table", privileges: ["SELECT"], role: "PUBLIC" }, 'role "PUBLIC" does not exist'],
  ])("a grant of %o is refused", async (given, message) => {
    await expect(grant.create(connectionOf(), inputsOf(grant, { ...on, ...given }), run)).rejects.toThrow(message);
  });

  test("MAINTAIN is a privilege of tables from PostgreSQL 17 on", async () => {
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version",
    );
    const made = grant.create(
      connectionOf(),
      inputsOf(grant, { ...on, objectType: "table", privileges: ["MAINTAIN"] }),
      run,
    );
    if ((rows[0]?.version ?? 0) >= 170_000) await made;
    else await expect(made).rejects.toThrow("MAINTAIN is not an allowed privilege for object type table");
  });

  test("a grant on named objects revokes what it lists, and no privilege that something else gave", async () => {
    await client.query("grant insert on direct.one to direct");
    const given = inputsOf(grant, { ...on, objectType: "table", objects: ["one"], privileges: ["SELECT"] });
    const { id, state } = await grant.create(connectionOf(), given, run);
    expect(await privileges("direct", "one")).toEqual(["INSERT", "SELECT"]);
    await grant.delete(connectionOf(), id, state, given, run);
    expect(await privileges("direct", "one")).toEqual(["INSERT"]);
    await grant.delete(connectionOf(), id, state, inputsOf(grant, { ...on, objectType: "table", privileges: [] }), run);
    expect(await privileges("direct", "one")).toEqual([]);
  });

  test.each([{ role: "nobody" }, { schema: "nowhere" }, { database: "nothing" }])(
    "rights are gone with %o, and fail to be deleted",
    async (gone) => {
      const given = { ...on, ...gone, objectType: "table", privileges: ["SELECT"], owner: "direct" };
      const { owner: _, ...ofGrant } = given;
      const inputs = inputsOf(grant, ofGrant);
      expect(await grant.read(connectionOf(), "id", inputs, inputs)).toBeUndefined();
      await expect(grant.delete(connectionOf(), "id", inputs, inputs, run)).rejects.toThrow();
      const defaults = inputsOf(defaultPrivileges, given);
      expect(await defaultPrivileges.read(connectionOf(), "id", defaults, defaults)).toBeUndefined();
    },
  );

  test("a membership of a role that is gone cannot be deleted, one that is missing can", async () => {
    const of = (member: string) => inputsOf(grantRole, { role: member, grantRole: "direct" });
    await client.query("create role lone");
    await grantRole.delete(connectionOf(), "id", of("lone"), of("lone"), run);
    await client.query("drop role lone");
    await expect(grantRole.delete(connectionOf(), "id", of("lone"), of("lone"), run)).rejects.toThrow("does not exist");
  });

  test("a role is renamed in place, and refused where it is gone or there already", async () => {
    const [old, now] = ["before", "after"].map((name) => inputsOf(role, { name })) as [Properties, Properties];
    expect(role.diff(old, now).replaces).toEqual([]);
    await role.create(connectionOf(), old, run);
    await expect(role.create(connectionOf(), old, run)).rejects.toThrow('role "before" already exists');
    await role.update(connectionOf(), "before", now, old, old, run);
    expect(await role.read(connectionOf(), "before", now, now)).toBeUndefined();
    expect(await role.read(connectionOf(), "after", now, now)).toBeDefined();
    await role.delete(connectionOf(), "before", now, now, run);
    await expect(role.delete(connectionOf(), "before", now, now, run)).rejects.toThrow('role "after" does not exist');
  });

  test("a role that owns something is not dropped where that is not to be reassigned, and stays where it is not to be dropped", async () => {
    const kept = (more: object) => inputsOf(role, { name: "kept", ...more });
    await role.create(connectionOf(), kept({}), run);
    await client.query("create table direct.kept (id int); alter table direct.kept owner to kept");
    const asIs = kept({ skipReassignOwned: true });
    await expect(role.delete(connectionOf(), "kept", asIs, asIs, run)).rejects.toThrow("cannot be dropped");
    const stays = kept({ skipDropRole: true });
    await role.delete(connectionOf(), "kept", stays, stays, run);
    const { rows } = await client.query("select tableowner as owner from pg_tables where tablename = 'kept'");
    expect(rows).toEqual([{ owner: new URL(database.url).username }]);
    await role.delete(connectionOf(), "kept", kept({}), kept({}), run);
  });

  test("a user who is no superuser is made a member of the owners for the change alone, and cannot read passwords", async () => {
    await client.query(
      "create role limited login createrole password 'limited'; grant create on database tenantry to limited",
    );
    const limited = connectionOf({ username: "limited", password: "limited" });
    const owner = inputsOf(role, { name: "owning" });
    await role.create(limited, owner, run);
    await client.query(
      "create schema owned authorization owning; create table owned.one (id int); alter table owned.one owner to owning",
    );
    const given = inputsOf(grant, { ...on, schema: "owned", objectType: "table", privileges: ["SELECT"] });
    await grant.create(limited, given, run);
    const { rows } = await client.query("select has_table_privilege('direct', 'owned.one', 'SELECT') as granted");
    expect(rows).toEqual([{ granted: true }]);
    const { rows: sets } = await client.query(
      "select 1 from pg_auth_members where pg_get_userbyid(member) = 'limited' and pg_get_userbyid(roleid) = 'owning' and set_option",
    );
    expect(sets).toEqual([]);
    const withPassword = inputsOf(role, { name: "owning", login: true, password: "x" });
    await client.query("alter role owning login");
    await expect(
      role.read(
        connectionOf({ username: "limited", password: "limited", superuser: true }),
        "owning",
        withPassword,
        withPassword,
      ),
    ).rejects.toThrow("limited is not a SUPERUSER");
    await client.query(
      "drop schema owned cascade; drop role owning; revoke create on database tenantry from limited; drop role limited",
    );
  });

  test("a schema that is there is adopted whatever ifNotExists says, and is dropped only when empty or told to", async () => {
    const given = inputsOf(schema, { name: "direct", database: "tenantry", ifNotExists: false });
    const { id, state } = await schema.create(connectionOf(), given, run);
    expect(id).toBe("tenantry.direct");
    await expect(schema.delete(connectionOf(), id, state, given, run)).rejects.toThrow("other objects depend on it");
  });

  test("default privileges of schemas belong to no schema, and those of everyone cannot be passed on", async () => {
    const of = { ...on, owner: "direct", privileges: ["USAGE"] };
    const create = (given: Properties) =>
      defaultPrivileges.create(connectionOf(), inputsOf(defaultPrivileges, { ...of, ...given }), run);
    await expect(create({ objectType: "schema" })).rejects.toThrow("cannot specify `schema`");
    await expect(create({ objectType: "sequence", role: "public", withGrantOption: true })).rejects.toThrow("'public'");
  });
});
