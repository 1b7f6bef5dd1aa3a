import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { errorBody } from "#workers/contracts/errors.ts";
import { openTicket, SESSION_MS } from "#workers/shared/access/console-ticket.ts";
import { type DispatchUnderTest, DOMAIN, DOORS_KEY, startDispatch, tenant } from "../testing/start-dispatch.ts";

const PATH = "/.tenantry/session";
const sessionBody = z.strictObject({ token: z.string(), expires_at: z.iso.datetime(), api_url: z.string() });
let dispatch: DispatchUnderTest;

beforeAll(async () => {
  dispatch = await startDispatch();
  for (const slug of ["acme", "globex"]) dispatch.rest.tenants.set(slug, tenant(slug));
  dispatch.rest.tenants.set("cold", tenant("cold", { instance_status: "frozen", worker_name: "tenant-missing" }));
  for (const slug of ["acme", "cold"]) dispatch.rest.roles.set(`${slug} ada@acme.test`, "ADMIN");
});
afterAll(() => dispatch?.stop());

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const assertion = (jwt: string) => ({ "cf-access-jwt-assertion": jwt });

/** Headers of a program whose service token Access admitted at a tenant. */
async function program(clientId: string, slug = "acme"): Promise<Record<string, string>> {
  const claims = { common_name: clientId, sub: "", aud: [`audience-of-${slug}`] } as unknown as { email: string };
  return assertion(await dispatch.access.token(claims));
}

const ask = (headers: Record<string, string>, { slug = "acme", method = "POST", path = PATH } = {}) =>
  dispatch.fetch(`${slug}.${DOMAIN}`, path, { method, headers });

async function refusedWith(response: ReturnType<typeof ask>) {
  const refused = await response;
  return [refused.status, errorBody.parse(await refused.json()).error.reason];
}

test("gives the session of its user to a service token, which the console accepts for that tenant and token alone", async () => {
  dispatch.rest.tokens.set("acme own.access", {
    email: "ada@acme.test",
    role: "BASE_USER",
    expires_at: inSeconds(9e3),
  });
  const before = Date.now();
  const response = await ask(await program("own.access"));
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  const { token, expires_at, api_url } = sessionBody.parse(await response.json());
  expect(api_url).toBe(`https://dash.${DOMAIN}/console/acme/api`);
  const keys = { used: DOORS_KEY };
  expect(await openTicket(keys, { use: "program", slug: "acme" }, token)).toEqual({
    email: "ada@acme.test",
    serviceToken: "own.access",
  });
  expect(await openTicket(keys, { use: "session", slug: "acme" }, token)).toBeUndefined();
  expect(await openTicket(keys, { use: "program", slug: "globex" }, token)).toBeUndefined();
  expect(Date.parse(expires_at)).toBeGreaterThanOrEqual(before + SESSION_MS);
  expect(Date.parse(expires_at)).toBeLessThanOrEqual(Date.now() + SESSION_MS);
  expect(dispatch.logs.join("\n")).not.toContain(token);
});

test("ends the session with the service token", async () => {
  const expires_at = inSeconds(120);
  dispatch.rest.tokens.set("acme short.access", { email: "ada@acme.test", role: "ADMIN", expires_at });
  const body = sessionBody.parse(await (await ask(await program("short.access"))).json());
  expect(Date.parse(body.expires_at)).toBe(expires_at * 1000);
});

test("gives a session while the tenant is frozen", async () => {
  dispatch.rest.tokens.set("cold cold.access", { email: "ada@acme.test", role: "ADMIN", expires_at: inSeconds(900) });
  expect((await ask(await program("cold.access", "cold"), { slug: "cold" })).status).toBe(200);
});

test("refuses a person, whose browser also runs scripts of the gateway", async () => {
  const login = assertion(await dispatch.access.token({ email: "ada@acme.test", aud: ["audience-of-acme"] }));
  expect(await refusedWith(ask(login))).toEqual([403, "console_session_requires_token"]);
  expect(await refusedWith(ask({}))).toEqual([401, "tenant_login_missing"]);
});

test("refuses a browser with a service token", async () => {
  dispatch.rest.tokens.set("acme kiosk.access", { email: "ada@acme.test", role: "ADMIN", expires_at: inSeconds(900) });
  const headers = await program("kiosk.access");
  for (const sent of [{ "sec-fetch-site": "same-origin" }, { origin: `https://acme.${DOMAIN}` }] as const) {
    expect(await refusedWith(ask({ ...headers, ...sent }))).toEqual([403, "console_session_requires_program"]);
  }
});

test("refuses a revoked or expired service token, one of another tenant, and one without a user", async () => {
  dispatch.rest.tokens.set("globex globex.access", {
    email: "eve@globex.test",
    role: "ADMIN",
    expires_at: inSeconds(900),
  });
  dispatch.rest.tokens.set("acme old.access", { email: "ada@acme.test", role: "ADMIN", expires_at: inSeconds(-1) });
  expect(await refusedWith(ask(await program("old.access")))).toEqual([403, "service_token_refused"]);
  // Access admits tokens for a while after their revocation; the database no longer knows their user.
  expect(await refusedWith(ask(await program("globex.access")))).toEqual([403, "service_token_refused"]);
  expect(await refusedWith(ask(await program("globex.access", "globex")))).toEqual([403, "tenant_login_for_other"]);
  expect(await refusedWith(ask(await program("foreign.access")))).toEqual([403, "console_session_requires_user"]);
});

test("reserves other methods and paths", async () => {
  dispatch.rest.tokens.set("acme own.access", { email: "ada@acme.test", role: "ADMIN", expires_at: inSeconds(900) });
  const headers = await program("own.access");
  for (const changed of [{ method: "GET" }, { method: "DELETE" }, { path: `${PATH}/` }, { path: `${PATH}s` }]) {
    expect(await refusedWith(ask(headers, changed))).toEqual([404, "path_reserved"]);
  }
});
