/** Revoked tokens, removed users and frozen tenants at two isolates of the dispatch Worker, of which only one receives the order. */
import { type Request, Response } from "miniflare";
import { afterAll, beforeAll, expect } from "vitest";
import {
  type DispatchUnderTest,
  DOMAIN,
  INVALIDATE_TOKEN,
  startDispatch,
  tenant,
} from "#workers/dispatch/testing/start-dispatch.ts";
import { running } from "#workers/tenant/testing/backup-tenant.ts";
import { eventually, type Tenant } from "#workers/tenant/testing/harness.ts";
import { test as base } from "#workers/tenant/testing/test.ts";

const ADA = "ada@acme.test";
const EVE = "eve@acme.test";
const TOKENS = ["a1.access", "a2.access"];

interface Isolate {
  dispatch: DispatchUnderTest;
  get(slug: string, caller: string, path?: string): Promise<number>;
  post(slug: string, caller: string, text: string): Promise<Response>;
}

/** By the names of their Workers. */
const tenants = new Map<string, Tenant>();
let informed: Isolate;
let other: Isolate;

// Before the tenants, whose harness sets how this process starts workerd.
beforeAll(async () => {
  [informed, other] = await Promise.all([startIsolate(), startIsolate()]);
});
afterAll(() => Promise.all([informed?.dispatch.stop(), other?.dispatch.stop()]));

const test = base.extend("open", ({ openTenant }) => async (slug: string) => {
  const opened = await openTenant();
  tenants.set(`tenant-${slug}`, opened);
  const record = tenant(slug);
  for (const { dispatch } of [informed, other]) {
    dispatch.rest.tenants.set(slug, record);
    for (const email of [ADA, EVE]) dispatch.rest.roles.set(`${slug} ${email}`, "ADMIN");
    for (const id of TOKENS) dispatch.rest.tokens.set(`${slug} ${id}`, { email: ADA, role: "ADMIN", expires_at });
  }
  return opened;
});
const expires_at = Math.floor(Date.now() / 1000) + 3_600;

/** Headers that do not belong to a connection. */
const own = (headers: Iterable<[string, string]>) =>
  Object.fromEntries([...headers].filter(([name]) => /^(?:x-|content-type|retry-after)/.test(name)));

async function passOn(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const { method } = request;
  const body = request.body === null ? null : await request.arrayBuffer();
  const to = tenants.get(request.headers.get("test-worker") ?? "");
  if (to === undefined) throw new Error("There is no such tenant.");
  const answer = await to.fetch(pathname + search, { method, headers: own(request.headers), ...(body && { body }) });
  const { status } = answer;
  return new Response(status === 204 ? null : await answer.text(), { status, headers: own(answer.headers) });
}

/** Starts an isolate of the dispatch Worker with a cache of its own. */
async function startIsolate(): Promise<Isolate> {
  const dispatch = await startDispatch({}, { tenant: passOn });
  const logins = new Map<string, Promise<string>>();
  const sessionOf = async (slug: string, caller: string) => {
    const who = caller.includes("@") ? { email: caller } : { email: undefined, common_name: caller, sub: "" };
    const claims = { ...who, aud: [`audience-of-${slug}`] } as unknown as { email: string };
    const name = `${slug} ${caller}`;
    if (!logins.has(name)) logins.set(name, dispatch.access.token(claims));
    return { "cf-access-jwt-assertion": (await logins.get(name)) ?? "" };
  };
  return {
    dispatch,
    async get(slug, caller, path = "/api/notes") {
      const response = await dispatch.fetch(`${slug}.${DOMAIN}`, path, { headers: await sessionOf(slug, caller) });
      await response.arrayBuffer();
      return response.status;
    },
    async post(slug, caller, text) {
      const headers = { ...(await sessionOf(slug, caller)), "content-type": "application/json" };
      const body = JSON.stringify({ text });
      return dispatch.fetch(`${slug}.${DOMAIN}`, "/api/notes", { method: "POST", headers, body });
    },
  };
}

/** Revokes the first token in the database, and orders the cut at one of the isolates. */
async function revoke(slug: string): Promise<void> {
  for (const { dispatch } of [informed, other]) {
    dispatch.rest.tokens.set(`elsewhere ${TOKENS[0]}`, { email: ADA, role: "ADMIN", expires_at });
    dispatch.rest.tokens.delete(`${slug} ${TOKENS[0]}`);
  }
  await invalidate(slug);
}

async function invalidate(slug: string): Promise<void> {
  const headers = { authorization: `Bearer ${INVALIDATE_TOKEN}` };
  const response = await informed.dispatch.fetch(`_dispatch.${DOMAIN}`, `/_invalidate/${slug}`, { headers });
  expect(await response.json()).toMatchObject({ cut: "done" });
}

test("refuses a revoked token and a removed user in every isolate at once, and reads others once more", async ({
  open,
}) => {
  await running(await open("acme"));
  for (const isolate of [informed, other]) {
    for (const caller of [...TOKENS, ADA, EVE]) expect(await isolate.get("acme", caller)).toBe(200);
    isolate.dispatch.rest.roles.delete(`acme ${EVE}`);
  }
  await revoke("acme");
  const { resolved } = other.dispatch.rest;
  resolved.length = 0;
  expect(await other.get("acme", EVE, "/api/admin/gateway/log")).toBe(403);
  expect(await other.get("acme", "a1.access")).toBe(403);
  expect(await informed.get("acme", "a1.access")).toBe(403);
  // The body of a request is sent again.
  const added = await other.post("acme", ADA, "sent once");
  expect([added.status, await added.json()]).toEqual([201, expect.objectContaining({ text: "sent once" })]);
  expect([await other.get("acme", "a2.access"), await other.get("acme", "a2.access")]).toEqual([200, 200]);
  expect(await other.get("acme", ADA)).toBe(200);
  expect(resolved.map(({ p_email }) => p_email)).toEqual([EVE, "a1.access", ADA, "a2.access"]);
});

test("asks for a large body again, and refuses a token after a restart of the tenant's objects", async ({ open }) => {
  const globex = await open("globex");
  await running(globex);
  for (const caller of [ADA, "a1.access"]) expect(await other.get("globex", caller)).toBe(200);
  await revoke("globex");
  await globex.restartWorker();
  const large = "x".repeat(100_000);
  const late = await other.post("globex", ADA, large);
  expect([late.status, late.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await late.json()).toMatchObject({ error: { reason: "tenant_access_changed" } });
  expect(await other.get("globex", "a1.access")).toBe(403);
  await eventually(async () => (await other.post("globex", ADA, "small")).status === 201);
});

test("starts no frozen tenant for an isolate that knows it as active", async ({ open }) => {
  const initech = await open("initech");
  expect(await other.get("initech", ADA, "/api/health?passive=1")).toBe(200);
  expect(initech.processes()).toEqual([]);
  for (const { dispatch } of [informed, other]) {
    dispatch.rest.tenants.set("initech", tenant("initech", { instance_status: "frozen" }));
  }
  await invalidate("initech");
  expect(await other.get("initech", ADA, "/api/health")).toBe(200);
  expect(initech.processes()).toEqual([]);
  expect(await other.get("initech", ADA)).toBe(403);
});
