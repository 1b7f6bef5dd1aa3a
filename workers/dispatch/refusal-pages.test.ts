/** Refusals as pages for people, and their brand. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ShownPartner } from "#workers/contracts/branding.ts";
import { errorBody } from "#workers/contracts/errors.ts";
import { decodeBrand } from "#workers/contracts/platform-headers.ts";
import { type DispatchUnderTest, DOMAIN, PLATFORM_AUDIENCE, startDispatch, tenant } from "./testing/start-dispatch.ts";

const PARTNER_ID = "00000000-0000-4000-8000-0000000000aa";
const north: ShownPartner = {
  id: PARTNER_ID,
  name: "North",
  logo_key: `partners/${PARTNER_ID}/0a1b/upload`,
  style: { display_name: "North & <Sons>", colours: { accent: "#123abc" }, support_address: "help@north.test" },
};

let dispatch: DispatchUnderTest;
beforeAll(async () => {
  dispatch = await startDispatch();
  const add = (slug: string, changes: Parameters<typeof tenant>[1] = {}) =>
    dispatch.rest.tenants.set(slug, tenant(slug, { partner: north, ...changes }));
  add("acme");
  add("iced", { instance_status: "frozen" });
  add("halted", { instance_status: "stopped" });
  add("planned", { client_status: "draft" });
  add("unset", { worker_name: "tenant-missing" });
  add("plain", { partner: null });
  dispatch.rest.roles.set("acme ada@acme.test", "ADMIN");
  dispatch.rest.roles.set("unset ada@acme.test", "ADMIN");
});
afterAll(() => dispatch?.stop());

const logIn = async (email: string, slug: string) => ({
  "cf-access-jwt-assertion": await dispatch.access.token({ email, aud: [`audience-of-${slug}`] }),
});

/** Returns the page of a refusal, which must have the same status as the JSON for programs. */
async function pageOf(host: string, path = "/", headers: Record<string, string> = {}) {
  const program = await dispatch.fetch(host, path, { headers });
  const { error } = errorBody.parse(await program.json());
  const answer = await dispatch.fetch(host, path, { headers: { ...headers, accept: "text/html,*/*" } });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([program.status, "text/html; charset=utf-8"]);
  expect([answer.headers.get("cache-control"), answer.headers.get("vary")]).toEqual(["no-store", "Accept"]);
  expect(answer.headers.get("retry-after")).toBe(program.headers.get("retry-after"));
  const html = await answer.text();
  const heading = /<h1>(.*?)<\/h1>/.exec(html)?.[1];
  return { code: error.code, html, heading, policy: answer.headers.get("content-security-policy") ?? "" };
}

test.each([
  ["iced", "instance_frozen", "This tenant is frozen"],
  ["halted", "instance_stopped", "This tenant is stopped"],
  ["planned", "client_not_active", "This tenant is not active yet"],
  ["acme", "authentication_required", "Log in to continue"],
])("shows the partner's brand and contact for %s", async (slug, code, heading) => {
  const page = await pageOf(`${slug}.${DOMAIN}`);
  expect([page.code, page.heading]).toEqual([code, heading]);
  const logo = `https://dash.${DOMAIN}/logos/${PARTNER_ID}?hash=0a1b`;
  for (const text of [
    `src="${logo}" alt="North &amp; &lt;Sons&gt;"`,
    'href="mailto:help@north.test"',
    "light-dark(#123abc,",
  ])
    expect(page.html).toContain(text);
  expect(page.html).not.toMatch(/<script|<Sons>/);
  expect(page.policy).toContain(`img-src https://dash.${DOMAIN}/logos/;`);
  expect(page.policy).toContain(/<style nonce="([^"]+)"/.exec(page.html)?.[1] ?? "no nonce");
});

test("shows an uninvited user their address, and how to log in with another", async () => {
  const page = await pageOf(`acme.${DOMAIN}`, "/", await logIn("bob@else.test", "acme"));
  expect([page.code, page.heading]).toEqual(["access_denied", "You do not have access"]);
  for (const text of ["<strong>bob@else.test</strong>", 'href="/cdn-cgi/access/logout"', `acme.${DOMAIN}`])
    expect(page.html).toContain(text);
  // So does a user with a valid login for another tenant.
  const elsewhere = await pageOf(`acme.${DOMAIN}`, "/", await logIn("eve@else.test", "hooli"));
  expect([elsewhere.code, elsewhere.html.includes("<strong>eve@else.test</strong>")]).toEqual(["access_denied", true]);
  const forged = await pageOf(`acme.${DOMAIN}`, "/", { "cf-access-jwt-assertion": "eyJhbGciOiJub25lIn0.e30." });
  expect([forged.code, forged.html.includes("Logged in as")]).toEqual(["access_denied", false]);
});

test("shows the platform's brand for an unknown tenant, and one without a partner", async () => {
  const nobody = await pageOf(`nobody.${DOMAIN}`);
  expect([nobody.code, nobody.heading]).toEqual(["tenant_not_found", "Tenant not found"]);
  expect(nobody.html).toContain(`nobody.${DOMAIN}`);
  const plain = await pageOf(`plain.${DOMAIN}`);
  for (const page of [nobody, plain]) {
    expect(page.html).toContain("<span>Tenantry</span>");
    expect(page.html).not.toMatch(/North|mailto:|<img/);
    expect(page.policy).not.toContain("img-src");
  }
});

test("does not disclose the partner on public paths", async () => {
  for (const host of ["iced", "halted", "planned"]) {
    const { html } = await pageOf(`${host}.${DOMAIN}`, "/api/health");
    expect(html).toContain("<span>Tenantry</span>");
    expect(html).not.toMatch(/North|help@north|logos/);
  }
});

test("says when to retry after a temporary refusal", async () => {
  const unset = await pageOf(`unset.${DOMAIN}`, "/", await logIn("ada@acme.test", "unset"));
  expect([unset.code, unset.heading]).toEqual(["tenant_unavailable", "Temporarily unavailable"]);
  for (const text of ["Try again in 5 seconds.", 'href="">Try again', "Logged in as ada@acme.test", "help@north.test"])
    expect(unset.html).toContain(text);
  dispatch.rest.setDown(true);
  try {
    // The database is down, and the tenant is unknown; then the tenant is known, and its user is not.
    const away = await pageOf(`unheard-of.${DOMAIN}`);
    expect([away.code, away.html.includes("<span>Tenantry</span>")]).toEqual(["tenant_unavailable", true]);
    const user = await pageOf(`acme.${DOMAIN}`, "/", await logIn("new@acme.test", "acme"));
    expect([user.code, user.html.includes("North &amp;")]).toEqual(["tenant_unavailable", true]);
  } finally {
    dispatch.rest.setDown(false);
  }
});

test("refuses requests from other origins and for internal paths, with a link", async () => {
  const session = await logIn("ada@acme.test", "acme");
  const path = await pageOf(`acme.${DOMAIN}`, "/api/internal/tick", session);
  expect([path.code, path.html.includes('href="/"')]).toEqual(["not_found", true]);
  const headers = { ...session, origin: "https://evil.test", accept: "text/html" };
  const sent = await dispatch.fetch(`acme.${DOMAIN}`, "/", { method: "POST", headers });
  expect([sent.status, (await sent.text()).includes("Request refused")]).toEqual([403, true]);
});

test("sends the brand to the tenant's Worker for people only, and ignores the client's", async () => {
  const ask = async (headers: Record<string, string>, slug = "acme", email = "ada@acme.test") => {
    const session = await logIn(email, slug);
    const answer = await dispatch.fetch(`${slug}.${DOMAIN}`, "/", { headers: { ...session, ...headers } });
    return ((await answer.json()) as { headers: Record<string, string> }).headers["x-platform-brand"];
  };
  expect(decodeBrand((await ask({ accept: "text/html" })) ?? "")).toEqual({
    name: "North & <Sons>",
    colours: { accent: "#123abc" },
    logo: `https://dash.${DOMAIN}/logos/${PARTNER_ID}?hash=0a1b`,
    support: "help@north.test",
  });
  expect(await ask({ "x-platform-brand": "mine" })).toBeUndefined();
  dispatch.rest.roles.set("plain ada@acme.test", "ADMIN");
  expect(decodeBrand((await ask({ accept: "text/html" }, "plain")) ?? "")?.name).toBe("Tenantry");
});

test("serves a cached entry without a partner, or with a malformed one", async () => {
  const kv = await dispatch.kv();
  for (const [slug, partner] of [
    ["older", undefined],
    ["broken", { id: 3 }],
  ] as const) {
    const { partner: _, ...known } = tenant(slug, { instance_status: "frozen" });
    await kv.put(`slug:${slug}`, JSON.stringify({ v: 2, tenant: { ...known, partner }, readAt: Date.now() }));
    const page = await pageOf(`${slug}.${DOMAIN}`);
    expect([page.code, page.html.includes("<span>Tenantry</span>")]).toEqual(["instance_frozen", true]);
  }
  // The entry in KV is small, regardless of the database's record.
  await (await dispatch.fetch(`acme.${DOMAIN}`, "/", { headers: await logIn("ada@acme.test", "acme") })).text();
  const written = await kv.get("slug:acme", "text");
  expect(written?.length).toBeLessThan(1_000);
  const root = {
    "cf-access-jwt-assertion": await dispatch.access.token({ email: "r@p.test", aud: [PLATFORM_AUDIENCE] }),
  };
  expect((await pageOf(`acme.${DOMAIN}`, "/", root)).html).toContain("r@p.test");
});
