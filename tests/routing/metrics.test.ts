import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as z from "zod";
import type { Edge } from "#local/edge.ts";
import { addDemoUsers } from "#local/start/demo.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { AnalyticsSql, sqlNumber } from "#workers/shared/analytics-sql.ts";
import { exportOf } from "#workers/tenant/metrics/testing/otlp-export.ts";
import { call, callUntil, everyMinute, loggedIn } from "../testing/http.ts";
import { openPlatform, platformSettings, stackOf } from "../testing/platform.ts";
import { sql } from "../testing/sql.ts";

const ACME = "acme.tenantry.localhost";
const HOOLI = "hooli.tenantry.localhost";
const PATH = "/api/otel/v1/metrics";
const json = { "content-type": "application/json" };
const gateway = join(import.meta.dirname, "../../workers/tenant/metrics/testing/reporting-gateway.mjs");

let edge: Edge;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ edge, close } = await openPlatform({ gatewayCommand: [process.execPath, gateway] }));
  const stack = await stackOf(edge, platformSettings(["acme", "hooli"].map((slug) => ({ slug }))));
  await stack.up();
  await addDemoUsers(edge);
  for (const host of [ACME, HOOLI])
    await callUntil(
      () => call(edge, host, "/api/health"),
      ({ body }) => healthSnapshot.parse(JSON.parse(body)).status === "running",
    );
});
afterAll(() => close());

/** Returns a tenant's points in the environment's dataset. */
const queries = (tenant: string): number =>
  edge.runtime
    .dataPoints("tenantry")
    .filter(({ index, blobs }) => index === tenant && blobs[0] === "ai_queries")
    .reduce((sum, { doubles }) => sum + (doubles[0] ?? 0), 0);

const fromGateway = async (host: string, body: string) => {
  const headers = await loggedIn(edge, "root@tenantry.example", host);
  return JSON.parse((await call(edge, host, "/export", { method: "POST", headers, body })).body);
};

test("attributes metrics from a gateway's sandbox to its own tenant", async () => {
  expect(await fromGateway(ACME, exportOf(3, { time: 60, model: "m" }))).toEqual({ status: 200, body: {} });
  expect(await fromGateway(HOOLI, exportOf(5, { time: 60, model: "m" }))).toEqual({ status: 200, body: {} });
  await vi.waitUntil(() => queries("acme") === 3 && queries("hooli") === 5, { timeout: 60_000 });
  const analytics = new AnalyticsSql({ apiUrl: edge.apiUrl, accountId: edge.accountId, token: edge.apiToken });
  const asked = `SELECT index1 AS tenant, SUM(_sample_interval * double1) AS queries
    FROM tenantry WHERE blob1 = 'ai_queries' AND timestamp > NOW() - INTERVAL '1' HOUR GROUP BY tenant ORDER BY tenant`;
  expect(await analytics.query(asked, z.object({ tenant: z.string(), queries: sqlNumber }))).toEqual([
    { tenant: "acme", queries: 3 },
    { tenant: "hooli", queries: 5 },
  ]);
});

test("accepts metrics from an administrator, and from no one else outside", async () => {
  const send = async (identity: Record<string, string>, path = PATH) => {
    const body = exportOf(7, { time: 60, model: "of-users" });
    const { status, body: answer } = await call(edge, ACME, path, {
      method: "POST",
      headers: { ...json, ...identity },
      body,
    });
    return { status, code: answer === "{}" ? undefined : JSON.parse(answer).error.code };
  };
  const before = queries("acme");
  const ben = await loggedIn(edge, "ben@acme.example", ACME);
  const ada = await loggedIn(edge, "ada@acme.example", ACME);
  expect(await send(ben)).toEqual({ status: 403, code: "forbidden" });
  expect(await send({ ...ben, "x-platform-role": "ADMIN" })).toEqual({ status: 403, code: "forbidden" });
  expect((await send(ada, "/api/internal/metrics")).status).toBe(404);
  expect(await send(ada)).toEqual({ status: 200, code: undefined });
  await vi.waitUntil(() => queries("acme") === before + 7, { timeout: 60_000 });
});

test("measures the containers at the minute's trigger", async () => {
  await sql(edge, "update tenantry.instances set status = 'running'");
  await everyMinute(edge);
  const measured = (metric: string) =>
    edge.runtime
      .dataPoints("tenantry")
      .filter(({ blobs, doubles }) => blobs[0] === metric && blobs[2] === "production" && (doubles[0] ?? 0) > 0)
      .map(({ index }) => index);
  for (const metric of ["container_heartbeat", "container_uptime", "container_activity"])
    await vi.waitUntil(() => new Set(measured(metric)).size === 2, { timeout: 60_000 });
});
