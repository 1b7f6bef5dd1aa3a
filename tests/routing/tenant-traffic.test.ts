import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import type { Edge } from "#local/edge.ts";
import { addDemoUsers } from "#local/start/demo.ts";
import { createdDoor } from "#workers/contracts/api/tenants/doors.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { type Answer, call, callUntil, everyMinute, loggedIn } from "../testing/http.ts";
import { openPlatform, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

const ACME = "acme.tenantry.localhost";
const HOOLI = "hooli.tenantry.localhost";
const LAB = "lab.tenantry.localhost";
const DASH = "dash.tenantry.localhost";
const page = { accept: "text/html" };

let edge: Edge;
let close: () => Promise<void>;
let invalidateToken: string;

beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  const clients = [{ slug: "acme" }, { slug: "hooli", partner: "globex" }, { slug: "lab" }, { slug: "idle" }];
  const stack = await stackOf(edge, platformSettings(clients));
  await stack.up();
  invalidateToken = (await stack.outputs()).invalidateToken?.value;
  await addDemoUsers(edge);
});
afterAll(() => close());

const hasStarted = ({ status, body }: Answer): boolean => {
  expect(status, body).toBe(200);
  return healthSnapshot.parse(JSON.parse(body)).startup.ok;
};

const running = () => callUntil(() => call(edge, ACME, "/api/health"), hasStarted);

describe("a tenant's host", () => {
  test("redirects users without a login to the login", async () => {
    const answer = await call(edge, ACME, "/", { headers: page });
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toContain(`${edge.accessIssuer}/cdn-cgi/access/login/${ACME}`);
  });

  test("serves a member the gateway's page, and sends the gateway user and role", async () => {
    await running();
    const headers = {
      ...page,
      ...(await loggedIn(edge, "ada@acme.example", ACME)),
      "x-platform-role": "ROOT",
      "x-platform-user": "root",
    };
    const answer = await call(edge, ACME, "/", { headers });
    expect(answer.status).toBe(200);
    // A body with a known length is forwarded unchanged.
    expect(Number(answer.headers["content-length"])).toBe(Buffer.byteLength(answer.body));
    expect(answer.body).toContain("Gateway of");
    expect(answer.body).toContain('<span id="user">ada@acme.example</span>, your role: <span id="role">ADMIN</span>');
  });

  test("refuses a member of another tenant, also with that tenant's token", async () => {
    const headers = await loggedIn(edge, "ada@acme.example", ACME);
    expect((await call(edge, HOOLI, "/", { headers })).status).not.toBe(200);
    await expect(edge.access.issue("ada@acme.example", HOOLI)).rejects.toThrow(/refused/);
  });

  test("refuses someone on the Access list who is not validated in the database", async () => {
    await sql(
      edge,
      "update tenantry.client_users set status = 'rejected', validated_at = null where email = 'gavin@hooli.example'",
    );
    const headers = await loggedIn(edge, "gavin@hooli.example", HOOLI);
    expect((await call(edge, HOOLI, "/", { headers })).status).toBe(403);
  });

  test("admits a root user everywhere", async () => {
    await running();
    const headers = { ...page, ...(await loggedIn(edge, "root@tenantry.example", ACME)) };
    const answer = await call(edge, ACME, "/", { headers });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain("ROOT");
  });

  test("returns its health without a login, from starting to running, and starts nothing for a passive request", async () => {
    const passive = await call(edge, LAB, "/api/health?passive=1");
    expect(healthSnapshot.parse(JSON.parse(passive.body)).status).toBe("stopped");
    const first = healthSnapshot.parse(JSON.parse((await call(edge, LAB, "/api/health")).body));
    expect(first).toMatchObject({ status: "starting", startup: { ok: false }, readiness: { ok: false } });
    const last = await callUntil(() => call(edge, LAB, "/api/health"), hasStarted);
    expect(healthSnapshot.parse(JSON.parse(last.body))).toMatchObject({ status: "running", processType: "gateway" });
  });

  test("responds to HEAD for its health like GET, without a body", async () => {
    const answer = await call(edge, LAB, "/api/health?passive=1", { method: "HEAD" });
    expect([answer.status, answer.headers["content-type"], answer.body]).toEqual([200, "application/json", ""]);
  });

  test("refuses a frozen instance, health included", async () => {
    const style = JSON.stringify({ display_name: "Globex Agents", support_address: "help@globex.example" });
    await sql(edge, `update tenantry.partners set style = '${style}' where slug = 'globex'`);
    await sql(edge, "update tenantry.instances set status = 'frozen' where worker_name = 'tenant-hooli'");
    const headers = { authorization: `Bearer ${invalidateToken}` };
    expect((await call(edge, "_dispatch.tenantry.localhost", "/_invalidate/hooli", { headers })).status).toBe(200);
    const answer = await call(edge, HOOLI, "/api/health");
    expect(answer.status).toBe(403);
    expect(JSON.parse(answer.body).error.code).toBe("instance_frozen");
    const titled = ({ status, body }: { status: number | undefined; body: string }) => [
      status,
      /<title>(.*)<\/title>/.exec(body)?.[1],
    ];
    // The partner is disclosed to logged-in users only.
    const stranger = await call(edge, HOOLI, "/api/health", { headers: page });
    expect(titled(stranger)).toEqual([403, "This tenant is frozen · Tenantry"]);
    expect(stranger.body).not.toContain("globex");
    const session = await loggedIn(edge, "root@tenantry.example", HOOLI);
    const person = await call(edge, HOOLI, "/", { headers: { ...page, ...session } });
    expect(titled(person)).toEqual([403, "This tenant is frozen · Globex Agents"]);
    expect(person.body).toContain("mailto:help@globex.example");
  });

  test("returns 404 for an unknown slug, as a page for people and JSON for programs", async () => {
    const program = await call(edge, "nobody.tenantry.localhost", "/");
    expect(program.status).toBe(404);
    expect(JSON.parse(program.body).error.code).toBe("tenant_not_found");
    const person = await call(edge, "nobody.tenantry.localhost", "/", { headers: page });
    expect(person.status).toBe(404);
    expect(person.headers["content-type"]).toContain("text/html");
  });
});

describe("the minute's trigger", () => {
  test("reaches every active tenant, writes a heartbeat of those that run, and starts nothing", async () => {
    await running();
    await everyMinute(edge);
    const heartbeats = () =>
      edge.runtime.dataPoints("tenantry").filter(({ blobs }) => blobs[0] === "container_heartbeat");
    const isOfAcme = () => heartbeats().some(({ index, blobs }) => index === "acme" && blobs[1] === "running");
    // Another tenant's may come first.
    await vi.waitUntil(isOfAcme, { timeout: 60_000 });
    const idle = await call(edge, "idle.tenantry.localhost", "/api/health?passive=1");
    expect(healthSnapshot.parse(JSON.parse(idle.body)).status).toBe("stopped");
    expect(heartbeats().some(({ index }) => index === "idle")).toBe(false);
  });

  test("cannot be sent from outside", async () => {
    const headers = await loggedIn(edge, "root@tenantry.example", ACME);
    expect((await call(edge, ACME, "/api/internal/tick", { method: "POST", headers, body: "{}" })).status).toBe(404);
  });
});

describe("the dashboard", () => {
  test("lists every client to a root user", async () => {
    const headers = await loggedIn(edge, "root@tenantry.example", DASH);
    const answer = await call(edge, DASH, "/client", { headers });
    expect(answer.status).toBe(200);
    const slugs = JSON.parse(answer.body).data.map(({ slug }: { slug: string }) => slug);
    expect(slugs).toEqual(expect.arrayContaining(["acme", "hooli", "lab"]));
  });

  test("serves pages and their files to logged-in users, with revalidation by content", async () => {
    const headers = await loggedIn(edge, "root@tenantry.example", DASH);
    const answer = await call(edge, DASH, "/clients", { headers: { ...page, ...headers } });
    expect(answer.status).toBe(200);
    expect(answer.headers["content-security-policy"]).toContain("script-src 'self'");
    const [script = ""] = /\/console\/-\/[\w.-]+\.js/.exec(answer.body) ?? [];
    const file = await call(edge, DASH, script, { headers });
    expect(file.status).toBe(200);
    expect(file.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "x-content-type-options": "nosniff",
    });
    const again = await call(edge, DASH, script, {
      headers: { ...headers, "if-none-match": String(file.headers.etag) },
    });
    expect([again.status, again.body]).toEqual([304, ""]);
    expect((await call(edge, DASH, "/console/-/nowhere.js", { headers })).status).toBe(404);
    // Not past the Worker, which alone decides who receives a page.
    expect((await call(edge, DASH, "/index.html", { headers: { ...page, ...headers } })).status).toBe(404);
    // Users of tenants load the same files.
    expect((await call(edge, DASH, script, { headers: page })).status).toBe(200);
  });

  test("is closed to everyone else", async () => {
    expect((await call(edge, DASH, "/", { headers: page })).status).toBe(302);
    await expect(edge.access.issue("ada@acme.example", DASH)).rejects.toThrow(/refused/);
  });
});

describe("a door", () => {
  const IDLE = "idle.tenantry.localhost";
  const HOOKS = "hooks.tenantry.localhost";
  const status = async () => healthSnapshot.parse(JSON.parse((await call(edge, IDLE, "/api/health?passive=1")).body));

  test("takes webhooks without a login, starts the tenant for signed ones only, and delivers each once, also after its deletion", async () => {
    const root = await loggedIn(edge, "root@tenantry.example", DASH);
    const [instance] = await sql(edge, "select id from tenantry.instances where worker_name = 'tenant-idle'");
    const { id } = z.object({ id: z.uuid() }).parse(instance);
    const created = await call(edge, DASH, `/api/instances/${id}/doors`, {
      method: "POST",
      headers: { ...root, "content-type": "application/json", origin: `http://${DASH}:${edge.port}` },
      body: JSON.stringify({ kind: "telegram", name: "bot" }),
    });
    expect(created.status, created.body).toBe(201);
    const { id: doorId, url, generated } = createdDoor.parse(JSON.parse(created.body));
    expect(new URL(url).hostname).toBe(HOOKS);
    const send = (secret: string, update_id: number) =>
      call(edge, HOOKS, new URL(url).pathname, {
        method: "POST",
        headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": secret },
        body: JSON.stringify({ update_id, message: { message_id: 1, chat: { id: 7, type: "private" } } }),
      });

    expect((await status()).status).toBe("stopped");
    for (let round = 0; round < 10; round += 1) {
      const forged = Array.from({ length: 30 }, (_, at) => send("forged", 1_000 + round * 30 + at));
      expect(new Set((await Promise.all(forged)).map((answer) => answer.status))).toEqual(new Set([404]));
    }
    expect((await status()).status).toBe("stopped");

    const { secretToken = "" } = generated;
    for (const id of [1, 2, 1]) expect((await send(secretToken, id)).status).toBe(200);
    // The tenant starts for seconds: its inbox delivers what the door has accepted.
    const deleted = await call(edge, DASH, `/api/doors/${doorId}`, {
      method: "DELETE",
      headers: { ...root, origin: `http://${DASH}:${edge.port}` },
    });
    expect(deleted.status, deleted.body).toBe(204);
    const hash = createHash("sha256").update(new URL(url).pathname.slice(1)).digest("hex");
    const bearer = { authorization: `Bearer ${invalidateToken}` };
    expect(
      (await call(edge, "_dispatch.tenantry.localhost", `/_invalidate-door/${hash}`, { headers: bearer })).status,
    ).toBe(200);
    expect((await send(secretToken, 3)).status).toBe(404);
    await vi.waitUntil(async () => (await status()).startup.ok, { timeout: 60_000, interval: 300 });
    const headers = await loggedIn(edge, "root@tenantry.example", IDLE);
    const report = async () => JSON.parse((await call(edge, IDLE, "/api/deliveries", { headers })).body);
    await vi.waitUntil(async () => (await report()).processed.length >= 2, { timeout: 60_000, interval: 300 });
    const { processed } = await report();
    expect(processed.map(({ path, key }: { path: string; key: string }) => [path, key])).toEqual([
      ["/telegram-webhook", "1"],
      ["/telegram-webhook", "2"],
    ]);
    // Vendor's secrets do not reach the gateway, and the tenant's host has no doors.
    expect(JSON.stringify(processed)).not.toContain(secretToken);
    expect((await call(edge, IDLE, new URL(url).pathname, { method: "POST", body: "{}" })).status).toBe(302);
  });
});
