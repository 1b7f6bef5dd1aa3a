import type { KVNamespace } from "@cloudflare/workers-types";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TENANT_ENTRY_VERSION } from "#workers/contracts/tenant-entry.ts";
import { type RestServer, startRestServer } from "../testing/rest-server.ts";
import { tenant } from "../testing/start-dispatch.ts";
import { Database, DatabaseUnavailable } from "./database.ts";
import { Tenants } from "./tenants.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let rest: RestServer;
let clock: number;
let tenants: Tenants;
const acme = tenant("acme");

beforeEach(async () => {
  rest = await startRestServer("key");
  rest.tenants.set("acme", acme);
  rest.roles.set("acme ada@acme.test", "ADMIN");
  clock = Date.now();
  tenants = new Tenants({
    environment: "production",
    kv: brokenKv,
    database: new Database("production", rest),
    now: () => clock,
  });
});
afterEach(() => rest?.stop());

/** A KV that always fails, so that only time matters. */
const fails = () => Promise.reject(new Error("KV is down"));
const brokenKv = { get: fails, put: fails, delete: fails } as unknown as KVNamespace;

const keepAlive = () => undefined;
const find = (slug: string) => tenants.find(slug, async () => undefined, keepAlive);
const roleOf = async (email: string, at = acme) => (await tenants.standing(at, email, keepAlive)).role;

test("caches a tenant for a minute and an unknown slug for ten seconds while KV is down", async () => {
  expect((await find("acme")).cache).toBe("database");
  expect((await find("nobody")).tenant).toBeNull();
  clock += 9 * SECOND;
  expect((await find("nobody")).cache).toBe("isolate");
  clock += 2 * SECOND;
  expect((await find("nobody")).cache).toBe("database");
  clock += 48 * SECOND;
  expect((await find("acme")).cache).toBe("isolate");
  clock += 2 * SECOND;
  expect((await find("acme")).cache).toBe("database");
});

test("caches a role, and its absence, for a minute", async () => {
  expect([await roleOf("ada@acme.test"), await roleOf("bob@acme.test")]).toEqual(["ADMIN", null]);
  rest.roles.delete("acme ada@acme.test");
  rest.roles.set("acme bob@acme.test", "BASE_USER");
  clock += 59 * SECOND;
  expect([await roleOf("ada@acme.test"), await roleOf("bob@acme.test")]).toEqual(["ADMIN", null]);
  clock += 2 * SECOND;
  expect([await roleOf("ada@acme.test"), await roleOf("bob@acme.test")]).toEqual([null, "BASE_USER"]);
});

test("serves tenant and role for 15 minutes while the database is down, and nothing unknown", async () => {
  await find("acme");
  await roleOf("ada@acme.test");
  await roleOf("bob@acme.test");
  rest.setDown(true);
  clock += 14 * MINUTE;
  expect(await find("acme")).toMatchObject({ tenant: acme, cache: "stale" });
  expect(await roleOf("ada@acme.test")).toBe("ADMIN");
  await expect(roleOf("bob@acme.test")).rejects.toThrow(DatabaseUnavailable);
  await expect(roleOf("new@acme.test")).rejects.toThrow(DatabaseUnavailable);
  clock += 2 * MINUTE;
  await expect(find("acme")).rejects.toThrow(DatabaseUnavailable);
  await expect(roleOf("ada@acme.test")).rejects.toThrow(DatabaseUnavailable);
});

test("skips the database for five seconds after a failure when a stale entry exists", async () => {
  await find("acme");
  rest.setDown(true);
  clock += 2 * MINUTE;
  for (let call = 0; call < 5; call += 1) await find("acme");
  expect(rest.resolved).toHaveLength(2);
  rest.setDown(false);
  clock += 5 * SECOND;
  expect((await find("acme")).cache).toBe("database");
});

test("reads other tenants' and users' expired roles again after a failed call", async () => {
  const globex = tenant("globex");
  rest.tenants.set("globex", globex);
  rest.roles.set("globex ada@acme.test", "ADMIN").set("acme bob@acme.test", "ADMIN");
  const all = () =>
    Promise.all([
      roleOf("ada@acme.test"),
      roleOf("bob@acme.test"),
      roleOf("ada@acme.test", globex),
      find("globex").then(({ tenant }) => tenant?.instance_status),
    ]);
  expect(await all()).toEqual(["ADMIN", "ADMIN", "ADMIN", "running"]);
  clock += 2 * MINUTE;
  rest.failFor(({ p_slug, p_email }) => p_slug === "acme" && p_email === "ada@acme.test");
  // The one whose call fails keeps its stale role.
  expect(await roleOf("ada@acme.test")).toBe("ADMIN");
  rest.roles.clear();
  rest.tenants.set("globex", { ...globex, instance_status: "frozen" });
  expect(await all()).toEqual(["ADMIN", null, null, "frozen"]);
});

test("grants no roles of a former instance", async () => {
  await roleOf("ada@acme.test");
  const successor = tenant("acme");
  rest.tenants.set("acme", successor);
  rest.roles.delete("acme ada@acme.test");
  expect(await roleOf("ada@acme.test", successor)).toBeNull();
  clock += MINUTE;
  rest.roles.set("acme ada@acme.test", "ADMIN");
  expect(await roleOf("ada@acme.test")).toBeNull();
});

test("reads what expired from the database, although KV has it and the tenant's clock is ahead", async () => {
  const entry = { v: TENANT_ENTRY_VERSION, tenant: { ...acme, seats: 99 }, readAt: clock };
  const kv = { get: async () => entry, put: fails, delete: fails } as unknown as KVNamespace;
  tenants = new Tenants({
    environment: "production",
    kv,
    database: new Database("production", rest),
    now: () => clock,
  });
  await roleOf("ada@acme.test");
  const cutAt = clock + 5 * SECOND;
  rest.roles.delete("acme ada@acme.test");
  tenants.expire("acme", cutAt);
  expect(await find("acme")).toEqual({ tenant: acme, cache: "database", readAt: cutAt });
  expect(await tenants.standing(acme, "ada@acme.test", keepAlive)).toMatchObject({ role: null, readAt: cutAt });
  // Another request learns of the same cut.
  tenants.expire("acme", cutAt);
  expect([tenants.cached("acme")?.tenant, tenants.knownStanding(acme, "ada@acme.test")?.role]).toEqual([acme, null]);
});

test("does not admit for longer after a cut that lies far ahead, which a gateway behind an earlier tenant Worker can forge", async () => {
  tenants.expire("acme", clock + 365 * 24 * 60 * MINUTE);
  await roleOf("ada@acme.test");
  rest.roles.delete("acme ada@acme.test");
  clock += 2 * MINUTE;
  expect([tenants.cached("acme"), tenants.knownStanding(acme, "ada@acme.test")]).toEqual([undefined, undefined]);
  expect(await roleOf("ada@acme.test")).toBeNull();
});

test("limits the age of an entry with a time in the future", async () => {
  const entry = JSON.stringify({
    v: TENANT_ENTRY_VERSION,
    tenant: { ...acme, seats: 99 },
    readAt: clock + 60 * MINUTE,
  });
  const kv = { get: async () => JSON.parse(entry), put: fails, delete: fails } as unknown as KVNamespace;
  tenants = new Tenants({
    environment: "production",
    kv,
    database: new Database("production", rest),
    now: () => clock,
  });
  expect(await find("acme")).toMatchObject({ cache: "kv", tenant: { seats: 99 } });
  clock += 59 * SECOND;
  expect((await find("acme")).cache).toBe("isolate");
  clock += 2 * SECOND;
  expect((await find("acme")).cache).not.toBe("isolate");
});

test("writes an unknown slug to KV only if it was a tenant's", async () => {
  const written = new Map<string, unknown>();
  const kv = {
    get: async () => null,
    put: async (key: string, value: string) => void written.set(key, JSON.parse(value).tenant),
    delete: fails,
  } as unknown as KVNamespace;
  tenants = new Tenants({
    environment: "production",
    kv,
    database: new Database("production", rest),
    now: () => clock,
  });
  await find("acme");
  await find("nobody");
  expect([...written]).toEqual([["slug:acme", acme]]);
  rest.tenants.delete("acme");
  clock += 2 * MINUTE;
  expect((await find("acme")).tenant).toBeNull();
  expect([...written]).toEqual([["slug:acme", null]]);
});
