import type { Properties } from "@tenantry/plugin-host";
import { silentRun } from "@tenantry/plugin-host/testing/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectPostgres } from "./connection.ts";
import { defaultPrivileges } from "./default-privileges.ts";
import { grant } from "./grant.ts";
import { grantRole } from "./grant-role.ts";
import { role } from "./role.ts";
import { schema } from "./schema.ts";
import { TestServer } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
}, 120_000);
afterAll(() => server?.stop());

/** Refusals and missing objects as in the vendor's plugin, without the engine. */
describe("the resources without the engine", () => {
  const run = silentRun();
  const connectionOf = (more: { username?: string; password?: string; superuser?: boolean } = {}) => {
    const { url } = server;
    const login = { username: url.username, password: decodeURIComponent(url.password), superuser: false };
    const host = { host: url.hostname, port: Number(url.port), database: "tenantry", sslmode: "disable" };
    return connectPostgres({ ...host, ...login, ...more }, {});
  };
  const on = { database: "tenantry", role: "direct", schema: "direct" };
  const inputsOf = (kind: { check: typeof grant.check }, given: Properties) => kind.check(given, "").inputs;

  beforeAll(async () => {
    await server.client.query("create role direct; create schema direct; create table direct.one (id int)");
  });
  afterAll(async () => {
    await server.client.query("drop schema direct cascade; drop owned by direct; drop role direct");
  });

  test.each([
    [{ objectType: "table", privileges: ["EXECUTE"] }, "EXECUTE is not an allowed privilege for object type table"],
    [{ objectType: "table", privileges: ["select"] }, "select is not an allowed privilege for object type table"],
    [{ objectType: "schema", privileges: ["USAGE"], objects: ["one"] }, "cannot specify `objects`"],
    [{ objectType: "table", privileges: ["SELECT"], schema: undefined }, "parameter 'schema' is mandatory"],
    [{ objectType: "table", privileges: ["SELECT"], schema: "nowhere" }, "could not find schema 'nowhere'"],
    [{ objectType: "table", privileges: ["SELECT"], role: "PUBLIC" }, 'role "PUBLIC" does not exist'],
  ])("refuses a grant of %o", async (given, message) => {
    await expect(grant.create(connectionOf(), inputsOf(grant, { ...on, ...given }), run)).rejects.toThrow(message);
  });

  test("grants MAINTAIN on tables since PostgreSQL 17", async () => {
    const { rows } = await server.client.query<{ version: number }>(
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

  test("revokes only the listed privileges of a grant on named objects", async () => {
    await server.client.query("grant insert on direct.one to direct");
    const given = inputsOf(grant, { ...on, objectType: "table", objects: ["one"], privileges: ["SELECT"] });
    const { id, state } = await grant.create(connectionOf(), given, run);
    expect(await server.privileges("direct", "one")).toEqual(["INSERT", "SELECT"]);
    await grant.delete(connectionOf(), id, state, given, run);
    expect(await server.privileges("direct", "one")).toEqual(["INSERT"]);
    await grant.delete(connectionOf(), id, state, inputsOf(grant, { ...on, objectType: "table", privileges: [] }), run);
    expect(await server.privileges("direct", "one")).toEqual([]);
  });

  test.each([{ role: "nobody" }, { schema: "nowhere" }, { database: "nothing" }])(
    "reports privileges as deleted and fails to delete them with %o",
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

  test("deletes a missing membership, and refuses to for a role that does not exist", async () => {
    const of = (member: string) => inputsOf(grantRole, { role: member, grantRole: "direct" });
    await server.client.query("create role lone");
    await grantRole.delete(connectionOf(), "id", of("lone"), of("lone"), run);
    await server.client.query("drop role lone");
    await expect(grantRole.delete(connectionOf(), "id", of("lone"), of("lone"), run)).rejects.toThrow("does not exist");
  });

  test("renames a role in place, and refuses an existing or missing one", async () => {
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

  test("refuses to drop an owner with skipReassignOwned, and keeps a role with skipDropRole", async () => {
    const kept = (more: object) => inputsOf(role, { name: "kept", ...more });
    await role.create(connectionOf(), kept({}), run);
    await server.client.query("create table direct.kept (id int); alter table direct.kept owner to kept");
    const asIs = kept({ skipReassignOwned: true });
    await expect(role.delete(connectionOf(), "kept", asIs, asIs, run)).rejects.toThrow("cannot be dropped");
    const stays = kept({ skipDropRole: true });
    await role.delete(connectionOf(), "kept", stays, stays, run);
    const { rows } = await server.client.query("select tableowner as owner from pg_tables where tablename = 'kept'");
    expect(rows).toEqual([{ owner: server.url.username }]);
    await role.delete(connectionOf(), "kept", kept({}), kept({}), run);
  });

  test("grants a user who is not a superuser membership of the owners for the change only, and no passwords", async () => {
    await server.client.query(
      "create role limited login createrole password 'limited'; grant create on database tenantry to limited",
    );
    const limited = connectionOf({ username: "limited", password: "limited" });
    const owner = inputsOf(role, { name: "owning" });
    await role.create(limited, owner, run);
    await server.client.query(
      "create schema owned authorization owning; create table owned.one (id int); alter table owned.one owner to owning",
    );
    const given = inputsOf(grant, { ...on, schema: "owned", objectType: "table", privileges: ["SELECT"] });
    await grant.create(limited, given, run);
    const { rows } = await server.client.query(
      "select has_table_privilege('direct', 'owned.one', 'SELECT') as granted",
    );
    expect(rows).toEqual([{ granted: true }]);
    const { rows: sets } = await server.client.query(
      "select 1 from pg_auth_members where pg_get_userbyid(member) = 'limited' and pg_get_userbyid(roleid) = 'owning' and set_option",
    );
    expect(sets).toEqual([]);
    const withPassword = inputsOf(role, { name: "owning", login: true, password: "x" });
    await server.client.query("alter role owning login");
    await expect(
      role.read(
        connectionOf({ username: "limited", password: "limited", superuser: true }),
        "owning",
        withPassword,
        withPassword,
      ),
    ).rejects.toThrow("limited is not a SUPERUSER");
    await server.client.query(
      "drop schema owned cascade; drop role owning; revoke create on database tenantry from limited; drop role limited",
    );
  });

  test("adopts an existing schema regardless of ifNotExists, and drops it only when empty or with dropCascade", async () => {
    const given = inputsOf(schema, { name: "direct", database: "tenantry", ifNotExists: false });
    const { id, state } = await schema.create(connectionOf(), given, run);
    expect(id).toBe("tenantry.direct");
    await expect(schema.delete(connectionOf(), id, state, given, run)).rejects.toThrow("other objects depend on it");
  });

  test("refuses default privileges of schemas in a schema, and a grant option for everyone", async () => {
    const of = { ...on, owner: "direct", privileges: ["USAGE"] };
    const create = (given: Properties) =>
      defaultPrivileges.create(connectionOf(), inputsOf(defaultPrivileges, { ...of, ...given }), run);
    await expect(create({ objectType: "schema" })).rejects.toThrow("cannot specify `schema`");
    await expect(create({ objectType: "sequence", role: "public", withGrantOption: true })).rejects.toThrow("'public'");
  });
});
