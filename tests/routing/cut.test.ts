/** Closes connections of removed users and frozen tenants, through Access and the whole edge. */
import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Edge } from "#local/edge.ts";
import { addDemoUsers } from "#local/start/demo.ts";
import { backupReport } from "#workers/contracts/tenant/backup.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { openPlatform, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

const ACME = "acme.tenantry.localhost";

let edge: Edge;
let close: () => Promise<void>;
let invalidateToken: string;
let ada: Record<string, string>;
let ben: Record<string, string>;

beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  const stack = await stackOf(edge, platformSettings([{ slug: "acme" }]));
  await stack.up();
  invalidateToken = (await stack.outputs()).invalidateToken?.value;
  await addDemoUsers(edge);
  await running();
  ada = await loggedIn(edge, "ada@acme.example", ACME);
  ben = await loggedIn(edge, "ben@acme.example", ACME);
});
afterAll(() => close?.());

const running = () =>
  callUntil(
    () => call(edge, ACME, "/api/health"),
    ({ body }) => healthSnapshot.parse(JSON.parse(body)).startup.ok,
  );

async function open(path: string, headers: Record<string, string> = {}): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${edge.port}${path}`, {
    headers: { host: `${ACME}:${edge.port}`, origin: `http://${ACME}:${edge.port}`, ...headers },
  });
  await once(socket, "open");
  return socket;
}

/** A stream of lines until it ends. */
async function openStream(headers: Record<string, string>): Promise<{ ended: Promise<unknown> }> {
  const path = "/api/count?to=10000&everyMs=20";
  const sent = request({
    host: "127.0.0.1",
    port: edge.port,
    path,
    headers: { host: `${ACME}:${edge.port}`, ...headers },
  });
  sent.end();
  const [response] = await once(sent, "response");
  await once(response, "data");
  response.resume();
  return { ended: once(response, "close") };
}

async function invalidate(): Promise<unknown> {
  const headers = { authorization: `Bearer ${invalidateToken}` };
  const { body } = await call(edge, "_dispatch.tenantry.localhost", "/_invalidate/acme", { headers });
  return JSON.parse(body).cut;
}

test("closes a removed user's connections at once for good, while others reconnect", async () => {
  const [adas, bens] = await Promise.all([open("/echo", ada), open("/echo", ben)]);
  const ends = [once(adas, "close"), once(bens, "close")];
  const stream = await openStream(ben);
  await sql(
    edge,
    "update tenantry.client_users set status = 'rejected', validated_at = null where email = 'ben@acme.example'",
  );
  expect(await invalidate()).toBe("done");
  await Promise.all([...ends, stream.ended]);
  await expect(open("/echo", ben)).rejects.toThrow("403");
  (await open("/echo", ada)).close();
});

test("closes connections of a frozen tenant at once, and starts its gateway only when it is unfrozen", async () => {
  const backups = "/api/admin/gateway/backups";
  expect((await call(edge, ACME, "/api/admin/gateway/backup", { method: "POST", headers: ada })).status).toBe(201);
  const echo = await open("/echo", ada);
  const health = await open("/api/health/ws");
  await once(health, "message");
  const ends = [once(echo, "close"), once(health, "close")];
  await sql(edge, "update tenantry.instances set status = 'frozen' where worker_name = 'tenant-acme'");
  expect(await invalidate()).toBe("done");
  await Promise.all(ends);
  await expect(open("/api/health/ws")).rejects.toThrow("403");
  expect((await call(edge, ACME, "/api/health")).status).toBe(403);

  // Its administrators still have access to its data.
  const [newest] = backupReport.parse(JSON.parse((await call(edge, ACME, backups, { headers: ada })).body)).backups;
  const archive = await call(edge, ACME, `${backups}/${newest?.id}`, { headers: ada });
  expect([archive.status, archive.headers["content-length"]]).toEqual([200, String(newest?.bytes)]);
  expect((await call(edge, ACME, backups, { headers: ben })).status).toBe(403);

  await sql(edge, "update tenantry.instances set status = 'running' where worker_name = 'tenant-acme'");
  expect(await invalidate()).toBe("done");
  await running();
  (await open("/echo", ada)).close();
});
