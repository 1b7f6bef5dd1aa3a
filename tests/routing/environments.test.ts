/** Production and development in one account, domain and database. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Edge } from "#local/edge.ts";
import { addDemoUsers } from "#local/start/demo.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { changedResources } from "../testing/engine.ts";
import { call, callUntil, everyMinute, loggedIn } from "../testing/http.ts";
import { backupsOf, environmentSettings, openPlatform, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

const ACME = "acme.tenantry.localhost";
const ACME_DEV = "acme-dev.tenantry.localhost";
const page = { accept: "text/html" };

let edge: Edge;
let close: () => Promise<void>;
const production = () => stackOf(edge, platformSettings([{ slug: "acme", plan: "pro" }]));
const development = () =>
  stackOf(
    edge,
    environmentSettings("development", [{ slug: "acme", plan: "free", status: "draft" }, { slug: "hooli" }]),
    "dev",
  );

beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  await (await production()).up();
  await (await development()).up();
  await addDemoUsers(edge);
});
afterAll(() => close());

const running = (host: string) =>
  callUntil(
    () => call(edge, host, "/api/health"),
    ({ body }) => healthSnapshot.parse(JSON.parse(body)).startup.ok,
  );
const bearer = async (stack: "prod" | "dev") => {
  const { invalidateToken } = await (await (stack === "prod" ? production() : development())).outputs();
  return { authorization: `Bearer ${String(invalidateToken?.value)}` };
};
const heartbeats = (dataset: string) =>
  edge.runtime.dataPoints(dataset).filter(({ blobs }) => blobs[0] === "container_heartbeat");

test("neither environment finds changes in the other", async () => {
  expect(await changedResources(await production(), "preview")).toEqual([]);
  expect(await changedResources(await production(), "refresh")).toEqual([]);
  expect(await changedResources(await development(), "refresh")).toEqual([]);
  const rows = await sql(
    edge,
    "select slug, environment, billing_plan, status from tenantry.clients order by 2 desc, 1",
  );
  expect(rows).toEqual([
    { slug: "acme", environment: "production", billing_plan: "pro", status: "active" },
    { slug: "acme", environment: "development", billing_plan: "free", status: "draft" },
    { slug: "hooli", environment: "development", billing_plan: "basic", status: "active" },
  ]);
});

test("each host reaches its own environment's tenant, and no tenant of the other", async () => {
  await Promise.all([running(ACME), running(ACME_DEV)]);
  for (const host of [ACME, ACME_DEV]) {
    const answer = await call(edge, host, "/", {
      headers: { ...page, ...(await loggedIn(edge, "ada@acme.example", host)) },
    });
    expect([answer.status, answer.body.includes("ADMIN")]).toEqual([200, true]);
  }
  expect((await call(edge, "hooli.tenantry.localhost", "/api/health")).status).toBe(404);
  expect((await call(edge, "hooli-dev.tenantry.localhost", "/api/health?passive=1")).status).toBe(200);
  const production = await loggedIn(edge, "ada@acme.example", ACME);
  expect((await call(edge, ACME_DEV, "/", { headers: production })).status).toBe(302);
});

test("a user removed in one environment remains in the other", async () => {
  await sql(
    edge,
    `delete from tenantry.client_users u using tenantry.clients c
     where c.id = u.client_id and c.environment = 'development' and u.email = 'ben@acme.example'`,
  );
  const status = async (host: string) =>
    (await call(edge, host, "/", { headers: await loggedIn(edge, "ben@acme.example", host) })).status;
  expect([await status(ACME), await status(ACME_DEV)]).toEqual([200, 403]);
});

test("each dashboard shows its own environment's clients", async () => {
  const shown = async (host: string) => {
    const headers = await loggedIn(edge, "root@tenantry.example", host);
    const { body } = await call(edge, host, "/client", { headers });
    return JSON.parse(body).data.map(({ slug }: { slug: string }) => slug);
  };
  expect(await shown("dash.tenantry.localhost")).toEqual(["acme"]);
  expect(await shown("dev-dash.tenantry.localhost")).toEqual(["acme", "hooli"]);
});

test("freezing, the minute's tick and an ordered backup affect one environment's instance only", async () => {
  await Promise.all([running(ACME), running(ACME_DEV)]);
  // The first backup of each was not ordered.
  for (const slug of ["acme", "acme-dev"]) {
    await vi.waitUntil(async () => (await backupsOf(edge, slug)).length > 0, { timeout: 60_000 });
  }
  await sql(edge, "update tenantry.instances set status = 'frozen' where worker_name = 'tenant-acme-dev'");
  const invalidated = await call(edge, "_dispatch-dev.tenantry.localhost", "/_invalidate/acme", {
    headers: await bearer("dev"),
  });
  expect(invalidated.status).toBe(200);
  expect((await call(edge, ACME_DEV, "/api/health?passive=1")).status).toBe(403);
  expect((await call(edge, ACME, "/api/health?passive=1")).status).toBe(200);

  // A minute may have ended before it was frozen.
  const earlier = heartbeats("tenantry_dev");
  await everyMinute(edge, "tenantry-dispatch-dev");
  await everyMinute(edge, "tenantry-dispatch");
  await vi.waitUntil(() => heartbeats("tenantry").length > 0, { timeout: 60_000 });
  expect(new Set(heartbeats("tenantry").map(({ index }) => index))).toEqual(new Set(["acme"]));
  expect(heartbeats("tenantry_dev")).toEqual(earlier);

  const before = await Promise.all([backupsOf(edge, "acme"), backupsOf(edge, "acme-dev")]);
  const order = { method: "POST", headers: await bearer("prod") };
  expect((await call(edge, "_dispatch.tenantry.localhost", "/_backup/acme", order)).status).toBe(200);
  const after = await Promise.all([backupsOf(edge, "acme"), backupsOf(edge, "acme-dev")]);
  expect([after[0].length - before[0].length, after[1].length - before[1].length]).toEqual([1, 0]);
  // One environment's token is not valid in the other.
  expect((await call(edge, "_dispatch-dev.tenantry.localhost", "/_backup/acme", order)).status).toBe(401);
});

test("production is intact after development is destroyed", async () => {
  const bucket = edge.runtime.bucket("tenantry-backups-acme-dev");
  const { objects } = await bucket.list({ limit: 1000 });
  for (const { key } of objects) await bucket.delete(key);
  await (await development()).destroy();
  await running(ACME);
  const headers = { ...page, ...(await loggedIn(edge, "root@tenantry.example", ACME)) };
  expect((await call(edge, ACME, "/", { headers })).body).toContain("ROOT");
  expect((await call(edge, ACME_DEV, "/api/health")).status).toBe(404);
  expect(await changedResources(await production(), "refresh")).toEqual([]);
  expect(await sql(edge, "select slug, environment from tenantry.clients")).toEqual([
    { slug: "acme", environment: "production" },
  ]);
});
