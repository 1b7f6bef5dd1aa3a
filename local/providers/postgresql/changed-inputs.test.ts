import * as postgresql from "@pulumi/postgresql";
import { changed } from "@tenantry/plugin-host/testing/test-stack";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
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

describe("a change of inputs through the engine", () => {
  beforeAll(async () => {
    await server.client.query(
      "create schema change; create table change.one (id int); create table change.two (id int)",
    );
  });
  afterEach(() => stack.stack.destroy(), 120_000);
  afterAll(() => server.client.query("drop schema change cascade"));

  const withGrant =
    (objects: string[], withGrantOption = false) =>
    async () => {
      const provider = server.provider();
      const { name: role } = new postgresql.Role("changed", { name: "changed" }, { provider });
      const on = { database: "tenantry", role, schema: "change", objectType: "table" };
      new postgresql.Grant("g", { ...on, objects, privileges: ["SELECT"], withGrantOption }, { provider });
    };

  // Therefore the platform grants no privileges on lists of objects: a new table would revoke those on all others.
  test("replaces a grant by delete and create when its objects change, and loses the privileges when the create fails", async () => {
    stack.program(withGrant(["one"]));
    await stack.stack.up();
    expect(await server.privileges("changed", "one")).toEqual(["SELECT"]);

    stack.program(withGrant(["one", "nowhere"]));
    const refused = await failureOf(stack.stack.up());
    expect(refused).toContain('relation "change.nowhere" does not exist');
    expect(await server.privileges("changed", "one")).toEqual([]);

    stack.program(withGrant(["one", "two"]));
    await stack.stack.up();
    expect(await server.privileges("changed", "one")).toEqual(["SELECT"]);
    expect(await server.privileges("changed", "two")).toEqual(["SELECT"]);
  }, 120_000);

  test("refuses to change or delete a grant whose object does not exist", async () => {
    await server.client.query("create table change.gone (id int)");
    stack.program(withGrant(["gone", "one"]));
    await stack.stack.up();
    await server.client.query("drop table change.gone");
    stack.program(withGrant(["one"]));
    expect(await failureOf(stack.stack.up())).toContain('relation "change.gone" does not exist');
    await server.client.query("create table change.gone (id int)");
  }, 120_000);

  test("ends memberships that a role does not list when its password changes", async () => {
    const withRole = (password: string, roles?: string[]) => async () => {
      const provider = server.provider();
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
    expect(await server.memberships("a member")).toEqual(["a group"]);
    stack.program(withRole("two"));
    await stack.stack.up();
    expect(await server.memberships("a member")).toEqual([]);

    stack.program(withRole("two", ["a group"]));
    await stack.stack.up();
    expect(await server.memberships("a member")).toEqual(["a group"]);
    stack.program(withRole("three", ["a group"]));
    await stack.stack.up();
    expect(await server.memberships("a member")).toEqual(["a group"]);
    expect(changed(await stack.stack.refresh())).toEqual({ same: 5 });
  }, 120_000);

  test("ends a membership when its option changes, because it is created before the delete", async () => {
    const withOption = (withAdminOption: boolean) => async () => {
      const provider = server.provider();
      const group = new postgresql.Role("group", { name: "a group" }, { provider });
      const member = new postgresql.Role("member", { name: "a member" }, { provider });
      new postgresql.GrantRole("in", { role: member.name, grantRole: group.name, withAdminOption }, { provider });
    };
    stack.program(withOption(false));
    await stack.stack.up();
    stack.program(withOption(true));
    expect(changed(await stack.stack.up())).toMatchObject({ replace: 1 });
    expect(await server.memberships("a member")).toEqual([]);
  }, 120_000);

  test("revokes default privileges when their option changes, because they are created before the delete", async () => {
    const withOption = (withGrantOption: boolean) => async () => {
      const provider = server.provider();
      const { name: role } = new postgresql.Role("changed", { name: "changed" }, { provider });
      const of = { database: "tenantry", owner: server.url.username, role, schema: "change", objectType: "table" };
      new postgresql.DefaultPrivileges("d", { ...of, privileges: ["SELECT"], withGrantOption }, { provider });
    };
    stack.program(withOption(false));
    await stack.stack.up();
    stack.program(withOption(true));
    expect(changed(await stack.stack.up())).toMatchObject({ replace: 1 });
    await server.client.query("create table change.later (id int)");
    expect(await server.privileges("changed", "later")).toEqual([]);
  }, 120_000);
});
