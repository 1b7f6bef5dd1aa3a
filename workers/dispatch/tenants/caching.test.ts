import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TENANT_ENTRY_VERSION, tenantEntry } from "#workers/contracts/tenant-entry.ts";
import { type DispatchUnderTest, DOMAIN, INVALIDATE_TOKEN, startDispatch, tenant } from "../testing/start-dispatch.ts";

/** Long, because the machine may be busy. */
const SOON = { timeout: 40_000 };

let dispatch: DispatchUnderTest;
let session: Record<string, string>;

beforeEach(async () => {
  dispatch = await startDispatch();
  dispatch.rest.tenants.set("acme", tenant("acme"));
  dispatch.rest.roles.set("acme ada@acme.test", "ADMIN");
  session = {
    "cf-access-jwt-assertion": await dispatch.access.token({ email: "ada@acme.test", aud: ["audience-of-acme"] }),
  };
});
afterEach(() => dispatch?.stop());

const get = (path = "/", headers = session, slug = "acme") => dispatch.fetch(`${slug}.${DOMAIN}`, path, { headers });
const status = async (...args: Parameters<typeof get>) => {
  const response = await get(...args);
  await response.body?.cancel();
  return response.status;
};
/** The Worker's own log lines; the runtime's are not JSON. */
const cacheStates = () =>
  dispatch.logs
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line).cache)
    .filter(Boolean);

describe("a tenant is looked up", () => {
  test("by one call for tenant and role, and then from the cache", async () => {
    expect([await status(), await status()]).toEqual([200, 200]);
    expect(dispatch.rest.resolved).toEqual([{ p_slug: "acme", p_email: "ada@acme.test" }]);
    await expect.poll(cacheStates, SOON).toEqual(["database", "isolate"]);
  });

  test("by one call for concurrent requests", async () => {
    const release = dispatch.rest.hold();
    const answers = Promise.all(Array.from({ length: 25 }, () => status("/api/health", {})));
    await expect.poll(() => dispatch.rest.resolved.length, SOON).toBe(1);
    release();
    expect(await answers).toEqual(Array(25).fill(200));
    expect(dispatch.rest.resolved).toHaveLength(1);
  });

  test("from KV, where it is cached for a minute", async () => {
    await status();
    const kv = await dispatch.kv();
    await expect.poll(() => kv.get("slug:acme"), SOON).not.toBeNull();
    const entry = tenantEntry.parse(await kv.get("slug:acme", "json"));
    expect(entry).toEqual({ v: TENANT_ENTRY_VERSION, tenant: dispatch.rest.tenants.get("acme"), readAt: entry.readAt });
    const { keys } = await kv.list();
    expect((keys[0]?.expiration ?? 0) - entry.readAt / 1000).toBeLessThanOrEqual(61);

    const known = { ...tenant("globex", { access_aud: "audience-of-acme" }) };
    await kv.put("slug:globex", JSON.stringify({ v: TENANT_ENTRY_VERSION, tenant: known, readAt: Date.now() }));
    expect(await status("/api/health", {}, "globex")).toBe(200);
    expect(dispatch.rest.resolved).toHaveLength(1);
  });

  test.each([
    ["of an older shape", { v: 0, tenant: null, readAt: Date.now() }],
    ["that is rubbish", "rubbish"],
    ["read more than a minute ago", { v: TENANT_ENTRY_VERSION, tenant: null, readAt: Date.now() - 61_000 }],
    [
      "of another environment's tenant",
      { v: TENANT_ENTRY_VERSION, tenant: tenant("acme", { environment: "development" }), readAt: Date.now() },
    ],
    ["of another tenant", { v: TENANT_ENTRY_VERSION, tenant: tenant("globex"), readAt: Date.now() }],
  ])("in the database when KV has an entry %s", async (_name, entry) => {
    await (await dispatch.kv()).put("slug:acme", JSON.stringify(entry));
    expect(await status()).toBe(200);
    expect(dispatch.rest.resolved).toHaveLength(1);
  });

  test("once while it is unknown", async () => {
    for (let call = 0; call < 3; call += 1) expect(await status("/", session, "nobody")).toBe(404);
    expect(dispatch.rest.resolved).toHaveLength(1);
  });
});

describe("while the database is down", () => {
  test("serves tenants that were known minutes ago, and no others", async () => {
    const kv = await dispatch.kv();
    const known = dispatch.rest.tenants.get("acme");
    const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000;
    await kv.put("slug:acme", JSON.stringify({ v: TENANT_ENTRY_VERSION, tenant: known, readAt: minutesAgo(5) }));
    await kv.put(
      "slug:old",
      JSON.stringify({ v: TENANT_ENTRY_VERSION, tenant: { ...known, slug: "old" }, readAt: minutesAgo(16) }),
    );
    dispatch.rest.setDown(true);
    expect(await status("/api/health", {})).toBe(200);
    await expect.poll(cacheStates, SOON).toEqual(["stale"]);
    for (const slug of ["old", "never"]) {
      const refused = await get("/api/health", {}, slug);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await refused.text()).not.toMatch(/rest|rpc|status/);
    }
  });

  test("serves users that were known recently, and no new ones", async () => {
    expect(await status()).toBe(200);
    dispatch.rest.setDown(true);
    expect(await status()).toBe(200);
    const bob = await dispatch.access.token({ email: "bob@acme.test", aud: ["audience-of-acme"] });
    expect(await status("/", { "cf-access-jwt-assertion": bob })).toBe(503);
  });
});

describe("GET /_invalidate/:slug", () => {
  const bearer = { authorization: `Bearer ${INVALIDATE_TOKEN}` };

  test("clears the tenant and its roles at once", async () => {
    expect(await status()).toBe(200);
    dispatch.rest.roles.delete("acme ada@acme.test");
    expect(await status()).toBe(200);
    const answer = await dispatch.fetch(`_dispatch.${DOMAIN}`, "/_invalidate/acme", { headers: bearer });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { invalidated: "acme", elsewhereWithinSeconds: 60, cut: "done" },
    ]);
    expect(await status()).toBe(403);

    dispatch.rest.tenants.set("acme", tenant("acme", { instance_status: "frozen" }));
    expect(await status("/api/health", {})).toBe(200);
    await dispatch.fetch(`acme.${DOMAIN}`, "/_invalidate/acme", { headers: bearer });
    expect(await status("/api/health", {})).toBe(403);
  });

  test("does not cache a result that was read earlier", async () => {
    const release = dispatch.rest.hold();
    const waiting = status("/api/health", {});
    await expect.poll(() => dispatch.rest.resolved.length, SOON).toBe(1);
    const invalidated = dispatch.fetch(`acme.${DOMAIN}`, "/_invalidate/acme", { headers: bearer });
    // It reads the tenant again, instead of waiting for the earlier request.
    await expect.poll(() => dispatch.rest.resolved.length, SOON).toBe(2);
    release();
    expect([await waiting, (await invalidated).status]).toEqual([200, 200]);
    expect(await status("/api/health", {})).toBe(200);
    expect(dispatch.rest.resolved).toHaveLength(2);
  });

  test("requires the token", async () => {
    for (const authorization of [
      "",
      "Bearer",
      "Bearer wrong",
      `Basic ${INVALIDATE_TOKEN}`,
      `Bearer ${INVALIDATE_TOKEN}x`,
    ]) {
      expect(await status("/_invalidate/acme", { authorization })).toBe(401);
    }
    expect(await status("/_invalidate/acme", session)).toBe(401);
    expect(await status("/_invalidate/not%20a%20slug", bearer)).toBe(400);
  });

  test("forwards other methods of the path to the tenant", async () => {
    const response = await dispatch.fetch(`acme.${DOMAIN}`, "/_invalidate/acme", { method: "POST", headers: session });
    expect(await response.json()).toMatchObject({ worker: "tenant-acme", method: "POST" });
  });
});
