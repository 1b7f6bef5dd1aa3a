/** Access with the automation service: public paths of the dashboard, users and service tokens of its API, and its live events. */

import { once } from "node:events";
import { freePort } from "@tenantry/std/free-port";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Edge } from "#local/edge.ts";
import { Automation } from "#local/start/automation.ts";
import { addDemoUsers } from "#local/start/demo.ts";
import type { Deployment } from "#local/start/deployer/messages.ts";
import { LIVE_CLOSED } from "#workers/contracts/live-messages.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { deployed, openPlatform, platformSettings, stackOf } from "../testing/platform.ts";

const HOST = "dash.tenantry.localhost";
const ACME = "acme.tenantry.localhost";
const ROOT = "root@tenantry.example";
/** Long, because the machine may be busy. */
const SOON = { timeout: 60_000 };
const page = { accept: "text/html" };

let edge: Edge;
let close: () => Promise<void>;
let outputs: Deployment;
let automation: Automation;
beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  outputs = await deployed(await stackOf(edge, platformSettings([{ slug: "acme" }, { slug: "globex" }])));
  automation = new Automation(edge, "production", await freePort());
  automation.start(outputs);
});
afterAll(async () => {
  await automation?.stop();
  await close();
});

/** Returns the response of the dashboard's API to the stack's root user. */
async function asRoot(method: string, path: string, body?: object | string) {
  const answer = await call(edge, HOST, path, {
    method,
    headers: { ...(await loggedIn(edge, ROOT, HOST)), "content-type": "application/json" },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  expect(answer.status, answer.body).toBeLessThan(300);
  return answer.body === "" ? undefined : JSON.parse(answer.body);
}

/** Whether Access admits a user who logs in. */
const admits = (email: string, host: string) =>
  loggedIn(edge, email, host).then(
    () => true,
    () => false,
  );

test("invitations, logos and the service's events pass without a login, and nothing else", async () => {
  // Access redirects to its own login pages; the dashboard never does.
  const status = async (path: string) => (await call(edge, HOST, path, { headers: page })).status;
  expect(await status("/invitations/unknown")).toBe(404);
  expect(await status("/internal/live")).toBe(401);
  const { id } = await asRoot("POST", "/partner", { slug: "northwind" });
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';
  const { logo_url } = await asRoot("PUT", `/partner/${id}/logo`, drawing);
  const logo = await call(edge, HOST, logo_url);
  expect([logo.status, logo.headers["content-type"]]).toEqual([200, "image/svg+xml"]);
  expect(logo.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  for (const path of [
    "/",
    "/client",
    "/invitationsx",
    "/consolex",
    "/console/../client",
    "/live",
    "/internal",
    "/internal/liver",
    "/invitations/../client",
    "/logosx",
    `/logos/../partner/${id}`,
    "/partner",
    `/partner/${id}`,
    `/partner/${id}/style`,
    `/partner/${id}/logo`,
  ])
    expect([path, await status(path)]).toEqual([path, 302]);
  const push = (token: string) =>
    call(edge, HOST, "/internal/live", {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({
        last: 1,
        events: [{ id: 1, kind: "a.b", partner_id: null, client_id: null, data: {}, at: new Date().toISOString() }],
      }),
    });
  expect((await push("wrong")).status).toBe(401);
  expect((await push(outputs.liveToken)).status).toBe(204);
});

test("a partner root created by the API can log in to the dashboard and to no tenant, and nowhere once removed", async () => {
  const peter = "peter@globex.example";
  const { id: partner_id } = await asRoot("POST", "/partner", { slug: "initech" });
  expect(await admits(peter, HOST)).toBe(false);
  const { id } = await asRoot("POST", "/user", { email: peter, role: "PARTNER_ROOT", partner_id });
  await expect.poll(() => admits(peter, HOST), SOON).toBe(true);

  const headers = await loggedIn(edge, peter, HOST);
  const clients = () => call(edge, HOST, "/client", { headers });
  expect([(await clients()).status, JSON.parse((await clients()).body).data]).toEqual([200, []]);
  expect(await admits(peter, ACME)).toBe(false);
  // Nor with the dashboard's token, which admits roots.
  expect((await call(edge, ACME, "/", { headers: { ...page, ...headers } })).status).toBe(302);

  const socket = new WebSocket(`ws://127.0.0.1:${edge.port}/live`, {
    headers: { ...headers, host: `${HOST}:${edge.port}` },
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await new Promise((resolve) => socket.once("message", resolve));
  await asRoot("DELETE", `/user/${id}`);
  expect((await clients()).status).toBe(403);
  await expect.poll(() => admits(peter, HOST), SOON).toBe(false);
  expect(await closed).toBe(LIVE_CLOSED.noUser);
});

test("a platform root created by the API can log in to tenants like those of the stack, and no longer once removed", async () => {
  const rita = "rita@tenantry.example";
  expect(await admits(rita, ACME)).toBe(false);
  const { id } = await asRoot("POST", "/user", { email: rita, role: "ROOT" });
  for (const host of [HOST, ACME]) await expect.poll(() => admits(rita, host), SOON).toBe(true);
  await callUntil(
    () => call(edge, ACME, "/api/health"),
    ({ body }) => healthSnapshot.parse(JSON.parse(body)).startup.ok,
  );
  for (const email of [rita, ROOT]) {
    const entered = await call(edge, ACME, "/", { headers: { ...page, ...(await loggedIn(edge, email, ACME)) } });
    expect([email, entered.status, entered.body.includes("ROOT")]).toEqual([email, 200, true]);
  }
  await asRoot("DELETE", `/user/${id}`);
  for (const host of [HOST, ACME]) await expect.poll(() => admits(rita, host), SOON).toBe(false);
  for (const host of [HOST, ACME]) expect(await admits(ROOT, host)).toBe(true);
});

test("a service token reaches its own tenant as its user with at most the user's role, until it is revoked", async () => {
  await addDemoUsers(edge);
  const { data: clients } = await asRoot("GET", "/client");
  const { id: client } = clients.find(({ slug }: { slug: string }) => slug === "acme");
  const { data: users } = await asRoot("GET", `/api/clients/${client}/users`);
  const ada = users.find(({ email }: { email: string }) => email === "ada@acme.example");
  const wanted = { client_user_id: ada.id, name: "Laptop", role: "ADMIN", days: 1 };
  const token = await asRoot("POST", `/api/clients/${client}/tokens`, wanted);
  const secret = {
    "cf-access-client-id": token.access_client_id,
    "cf-access-client-secret": token.client_secret,
  };
  const visit = (headers: Record<string, string> = secret, host = ACME) => call(edge, host, "/", { headers });
  // The automation service adds it to the tenant's Access group, and the gateway starts.
  const entered = await callUntil(visit, ({ status }) => status === 200);
  expect(entered.body).toContain('<span id="user">ada@acme.example</span>, your role: <span id="role">ADMIN</span>');
  expect((await visit({ ...secret, "cf-access-client-secret": "0".repeat(64) })).status).toBe(302);
  expect((await visit(secret, "globex.tenantry.localhost")).status).toBe(302);
  expect((await visit(secret, HOST)).status).toBe(302);
  const listed = async () => (await asRoot("GET", `/api/clients/${client}/tokens`)).data;
  await expect.poll(async () => (await listed())[0].last_used_at, SOON).not.toBeNull();

  await asRoot("PUT", `/api/clients/${client}/users/${ada.id}`, { role: "BASE_USER" });
  await callUntil(visit, ({ body }) => body.includes('<span id="role">BASE_USER</span>'));

  const open = () =>
    new WebSocket(`ws://127.0.0.1:${edge.port}/echo`, { headers: { ...secret, host: `${ACME}:${edge.port}` } });
  const socket = open();
  await once(socket, "open");
  const closed = once(socket, "close");
  await asRoot("DELETE", `/api/clients/${client}/tokens/${token.id}`);
  await closed;
  await expect(once(open(), "open")).rejects.toThrow(/Unexpected server response: (?:302|403)/);
  expect(await listed()).toEqual([]);
  await expect.poll(() => edge.store.list("access_service_token"), SOON).toEqual([]);
  expect((await visit()).status).toBe(302);
});

test("a user enters the console at the tenant, creates a token with which a program reaches the tenant, and revokes it", async () => {
  const ada = "ada@acme.example";
  await addDemoUsers(edge);
  await expect.poll(() => admits(ada, ACME), SOON).toBe(true);
  const entry = await call(edge, ACME, "/.tenantry/", { headers: { ...page, ...(await loggedIn(edge, ada, ACME)) } });
  const ticket = new URL(entry.headers.location ?? "");
  expect([entry.status, ticket.hostname]).toEqual([303, HOST]);
  // Without the login of the dashboard's application.
  const entered = await call(edge, HOST, ticket.pathname + ticket.search, { headers: page });
  const [cookie = ""] = entered.headers["set-cookie"] ?? [];
  const session = { cookie: cookie.split(";", 1)[0] ?? "" };
  const opened = await call(edge, HOST, entered.headers.location ?? "", { headers: { ...page, ...session } });
  expect([opened.status, opened.body.includes('id="root"')]).toEqual([200, true]);

  // An earlier test changes her role, which the console reads at each request.
  const { data: clients } = await asRoot("GET", "/client?search=acme");
  const path = `/api/clients/${clients[0].id}/users`;
  const people = () => call(edge, HOST, `/console/acme/api${path}`, { headers: session });
  const { data: users } = await asRoot("GET", path);
  const { id } = users.find(({ email }: { email: string }) => email === ada);
  for (const [role, status, text] of [
    ["BASE_USER", 403, "requires the role ADMIN"],
    ["ADMIN", 200, ada],
  ] as const) {
    await asRoot("PUT", `${path}/${id}`, { role });
    const listed = await people();
    expect([listed.status, listed.body.includes(text)]).toEqual([status, true]);
  }

  const tokenPath = `/console/acme/tokens/${crypto.randomUUID()}`;
  const created = await call(edge, HOST, tokenPath, {
    method: "PUT",
    headers: { ...session, "content-type": "application/json" },
    body: JSON.stringify({ name: "Phone", role: "BASE_USER", days: 1 }),
  });
  expect(created.status, created.body).toBe(201);
  const token = JSON.parse(created.body);
  const secret = { "cf-access-client-id": token.access_client_id, "cf-access-client-secret": token.client_secret };
  await callUntil(
    () => call(edge, ACME, "/", { headers: secret }),
    ({ status, body }) => status === 200 && body.includes('<span id="role">BASE_USER</span>'),
  );
  // A program with the token gets no further ones.
  expect((await call(edge, ACME, "/.tenantry/", { headers: secret })).status).toBe(403);
  expect((await call(edge, HOST, tokenPath, { method: "DELETE", headers: { ...session, ...secret } })).status).toBe(
    204,
  );
  await callUntil(
    () => call(edge, ACME, "/", { headers: secret }),
    ({ status }) => status === 302 || status === 403,
  );
  await expect.poll(() => edge.store.list("access_service_token"), SOON).toEqual([]);
});
