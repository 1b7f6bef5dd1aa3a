/** The smallest plan's limits apply to a tenant's Worker at the top level, not to the platform's own work behind it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { putRoute, putScript } from "@tenantry/edge/testing/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { planLimits, SCRIPT_LIMITS } from "#domain/plans/plan.ts";
import type { Edge } from "#local/edge.ts";
import { healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { BACKUP_PATH, CUT_PATH, METRICS_PATH, TICK_PATH } from "#workers/contracts/tenant/internal.ts";
import { exportOf } from "#workers/tenant/metrics/testing/otlp-export.ts";
import { call, callUntil, loggedIn } from "../testing/http.ts";
import { backupsOf, openPlatform, platformSettings, stackOf } from "../testing/platform.ts";

const ACME = "acme.tenantry.localhost";
const COUNTER = "counter.tenantry.localhost";
const { subrequests: GRANTED } = planLimits("free");

let edge: Edge;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ edge, close } = await openPlatform());
  await (await stackOf(edge, platformSettings([{ slug: "acme", plan: "free" }]))).up();
});
afterAll(() => close());

const running = () =>
  callUntil(
    () => call(edge, ACME, "/api/health"),
    ({ status, body }) => status === 200 && healthSnapshot.parse(JSON.parse(body)).startup.ok,
  );
/** Ends the container with its disk, as when the tenant falls asleep. */
const sleep = () => edge.containers.end({ namespace: "tenants", name: "tenant-acme" });
/** Calls that were refused since the edge started. */
const refusals = () =>
  readFileSync(join(edge.directory, "edge.log"), "utf8").split("Too many subrequests: one was refused").length - 1;

test("wakes a free tenant with a restore through the dispatch Worker within its limits", async () => {
  await running();
  await expect.poll(() => backupsOf(edge, "acme"), { timeout: 60_000 }).toHaveLength(1);
  const headers = {
    ...(await loggedIn(edge, "root@tenantry.example", ACME)),
    "content-type": "application/json",
  };
  const note = { method: "POST", headers, body: JSON.stringify({ text: "kept" }) };
  expect((await call(edge, ACME, "/api/notes", note)).status).toBe(201);
  const order = { method: "POST", headers };
  expect((await call(edge, ACME, "/api/admin/gateway/backup", order)).status).toBe(201);
  const notes = () => call(edge, ACME, "/api/notes", { headers });
  await sleep();
  expect((await callUntil(notes, ({ status }) => status === 200)).body).toContain("kept");
  expect(refusals()).toBe(0);

  // With the plan's limits on the script too, its objects would have the same limits, which are too low.
  const script = edge.store.get("script", "tenants/tenant-acme");
  if (script === undefined) throw new Error("no script");
  expect(script.limits).toEqual({ cpu_ms: SCRIPT_LIMITS.cpuMs, subrequests: SCRIPT_LIMITS.subrequests });
  edge.store.put("script", { ...script, limits: { ...script.limits, subrequests: GRANTED } });
  await sleep();
  const asked = async () => {
    await notes();
    return refusals();
  };
  await expect.poll(asked, { timeout: 60_000, interval: 300 }).toBeGreaterThan(0);
  edge.store.put("script", script);
});

/** A dispatching Worker that grants the requested number of subrequests. */
function putCounter(): void {
  putScript(edge.store, {
    name: "counter",
    bindings: [{ type: "dispatch_namespace", name: "DISPATCHER", namespace: "tenants" }],
    source: `export default {
      async fetch(request, env) {
        const subRequests = Number(new URL(request.url).searchParams.get("granted"));
        const worker = env.DISPATCHER.get("tenant-acme", {}, { limits: { cpuMs: 10000, subRequests } });
        return worker.fetch(request).catch((error) => Response.json({ error: { code: error.message } }, { status: 500 }));
      },
    };`,
  });
  putRoute(edge.store, `${COUNTER}/*`, "counter");
}

const EXPORT: unknown = JSON.parse(exportOf(1, { time: 60, model: "some-model" }));

/** Routes of a tenant's Worker, including the gateway; those with a body are `POST`. */
const ROUTES: readonly (readonly [path: string, body?: unknown])[] = [
  ["/api/health"],
  ["/api/health?passive=1"],
  ["/api/status"],
  ["/api/admin/gateway/status/polling"],
  ["/api/admin/gateway/status"],
  ["/api/admin/gateway/log"],
  ["/api/admin/gateway/backups"],
  ["/api/admin/gateway/backup", {}],
  ["/api/admin/gateway/backup/accept", {}],
  ["/api/admin/gateway/restore", { backup: "none" }],
  [BACKUP_PATH, {}],
  [CUT_PATH, { routable: true }],
  [TICK_PATH, { scheduledTime: "2026-11-22T00:00:00Z" }],
  [METRICS_PATH, EXPORT],
  ["/api/otel/v1/metrics", EXPORT],
  ["/"],
  ["/api/notes", { text: "counted" }],
  ["/api/admin/gateway/restart", {}],
  // While it restarts.
  ["/api/notes"],
];
const STREAMS = ["/api/health/ws", "/api/admin/gateway/status/ws", "/echo"];

const HEADERS = { host: COUNTER, "x-platform-role": "ADMIN", "content-type": "application/json" };
const granted = (path: string, count: number) => `${path}${path.includes("?") ? "&" : "?"}granted=${count}`;

/** Whether the Worker succeeds with a number of subrequests. */
async function suffices(count: number, path: string, body?: unknown): Promise<boolean> {
  const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await call(edge, COUNTER, granted(path, count), { ...post, headers: HEADERS });
  return !/"(internal|gateway_unavailable|tenant_unavailable|Too many subrequests\.)"/.test(answer.body);
}

/** Whether it opens a WebSocket with a number of subrequests. */
function opens(count: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${edge.port}${granted(path, count)}`, { headers: HEADERS });
    socket.on("open", () => {
      socket.close();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

/** The minimum number that suffices. */
async function counted(check: (count: number) => Promise<boolean>): Promise<number> {
  for (let count = 0; count <= GRANTED; count += 1) if (await check(count)) return count;
  return Number.POSITIVE_INFINITY;
}

test("makes at most three top-level calls in every route of a tenant's Worker, of ten in the free plan", async () => {
  await running();
  putCounter();
  const counts = new Map<string, number>();
  for (const [path, body] of ROUTES) counts.set(path, await counted((count) => suffices(count, path, body)));
  await running();
  for (const path of STREAMS) counts.set(path, await counted((count) => opens(count, path)));
  expect([...counts].filter(([, count]) => count > 3)).toEqual([]);
  // Every request is counted.
  expect([...counts].filter(([, count]) => count < 1)).toEqual([]);
  expect(GRANTED).toBe(10);
});
