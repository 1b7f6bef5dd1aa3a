/** The console's app over HTTP: who receives it, and where a login leads. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertClient, insertClientUser, insertInstance } from "#database/testing/fixtures.ts";
import { consolePages, PAGE_FILES_PATH } from "#workers/contracts/pages.ts";
import { consoleLogin, entryTicket } from "../testing/console-login.ts";
import { type ApiUnderTest, startApi } from "../testing/start-api.ts";

const ADA = "ada@acme.test";
const TENANT = "https://acme.example.test:8443";
const NAME = `</title><script>alert("x")</script>`;

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApi();
  const { db } = api.database;
  await db
    .updateTable("tenantry.partners")
    .set({ style: JSON.stringify({ display_name: NAME }) })
    .where("id", "=", api.partners.north)
    .execute();
  const client_id = await insertClient(db, { slug: "acme", name: "Acme", partner_id: api.partners.north });
  const instance = await insertInstance(db, client_id);
  await insertClientUser(db, { client_id, email: ADA, role: "ADMIN", status: "validated" }, [instance]);
});
afterAll(() => api?.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  api.fetch(`/console/acme${path}`, { headers: { accept: "text/html", ...headers } });
const ofAda = () => consoleLogin("acme", ADA);

test("every page is one file without data, titled with the brand's name as text", async () => {
  for (const page of consolePages) {
    const response = await get(`/${page}`, await ofAda());
    expect([page, response.status, response.headers.get("cache-control")]).toEqual([page, 200, "no-cache"]);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    const html = await response.text();
    expect(html).toContain("<title>&lt;/title&gt;&lt;script&gt;");
    expect(html).not.toContain("Acme");
    const script = /src="([^"]+\.js)"/.exec(html)?.[1] ?? "";
    expect(script.startsWith(`${PAGE_FILES_PATH}/`)).toBe(true);
  }
});

test("files of the app need no login", async () => {
  const script = /src="([^"]+\.js)"/.exec(await (await get("/", await ofAda())).text())?.[1] ?? "";
  const file = await api.fetch(script);
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
  await file.body?.cancel();
});

test("a page without a session leads to the login of the tenant, and then to the same page", async () => {
  const away = await get("/backups");
  expect([away.status, away.headers.get("location")]).toEqual([303, `${TENANT}/.tenantry/`]);
  const [wanted = ""] = away.headers.getSetCookie();
  expect(wanted).toMatch(/^tenantry-console-page=backups; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const enter = async (cookie: string) => {
    return (await get(`/enter?ticket=${await entryTicket("acme", ADA)}`, { cookie })).headers.get("location");
  };
  expect(await enter("tenantry-console-page=backups")).toBe("/console/acme/backups?entered");
  for (const cookie of ["", "tenantry-console-page=//evil.test", "tenantry-console-page=enter"])
    expect(await enter(cookie)).toBe("/console/acme/?entered");
  expect((await get("/backups?entered")).status).toBe(401);
});

test("addresses of earlier releases lead to the page that replaces them", async () => {
  const to = async (path: string) => (await get(path)).headers.get("location");
  expect(await Promise.all(["/messages", "/model-keys", "/network-access"].map(to))).toEqual(
    ["channels", "models", "network"].map((page) => `/console/acme/${page}`),
  );
  expect((await get("/nowhere", await ofAda())).status).toBe(404);
});

test("people who are no users of the tenant get an error page, and no app", async () => {
  for (const email of ["eve@else.test", api.emails.root]) {
    const response = await get("/", await consoleLogin("acme", email));
    expect([email, response.status, (await response.text()).includes("<script")]).toEqual([email, 403, false]);
  }
});

test("a link with an expired login leads to the first page of the console, which logs in", async () => {
  const response = await get("/enter?ticket=expired");
  expect(response.status).toBe(401);
  expect(await response.text()).toMatch(/<a class="button primary" href="\/console\/acme\/">Log in<\/a>/);
});

test("leaving ends the session in the browser, and the login at the tenant", async () => {
  const left = await get("/leave", await ofAda());
  expect([left.status, left.headers.get("location")]).toEqual([303, `${TENANT}/cdn-cgi/access/logout`]);
  expect(left.headers.getSetCookie()).toEqual([
    "__Host-tenantry-console-acme=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax",
  ]);
});
