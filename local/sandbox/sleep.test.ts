import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { killAnswer, type ProcessList, processList } from "../../workers/contracts/sandbox.ts";
import { type Sandboxes, startSandboxes } from "./sandboxes.ts";

const container = join(import.meta.dirname, "../../workers/tenant/container");
const gatewayCommand = [
  "env",
  "REFERENCE_GATEWAY_START_MS=100",
  process.execPath,
  join(container, "reference-gateway.mjs"),
];
const acme = { namespace: "tenants", name: "tenant-acme", className: "Sandbox" };
const PORT = { "x-sandbox-port": "18789", authorization: "Bearer secret-token" };
const PROBE = { ...PORT, "x-sandbox-probe": "1" };

let directory: string;
let root: string;
let sandboxes: Sandboxes;
let socket: string;

const start = () =>
  startSandboxes({ directory, startScript: join(container, "start-gateway.mjs"), gatewayCommand, log: () => {} });

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "sandbox-sleep-"));
  root = join(directory, "tenants/tenant-acme");
  sandboxes = await start();
  socket = await sandboxes.socket(acme);
});

afterEach(async () => {
  await sandboxes.stop();
  rmSync(directory, { recursive: true, force: true });
});

function call(method: string, path: string, headers: Record<string, string> = {}, body?: unknown) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const outgoing = request({ socketPath: socket, method, path, headers }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
    outgoing.on("error", reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const list = async (): Promise<ProcessList> => processList.parse(JSON.parse((await call("GET", "/processes")).text));
const end = async (path: string) => killAnswer.parse(JSON.parse((await call("DELETE", path)).text));

/** Starts the gateway and waits until it is alone. */
async function wake(): Promise<ProcessList> {
  const env = { GATEWAY_TOKEN: "secret-token", STATE_ID: "a-state" };
  expect((await call("PUT", "/processes/gateway-start", {}, { env })).status).toBe(201);
  for (;;) {
    const seen = await list();
    if (seen.processes.length === 1 && seen.processes[0]?.type === "gateway") return seen;
    if (seen.processes.length === 0) throw new Error("the gateway did not start");
    await delay(20);
  }
}

test("probes are no traffic, requests are until their answer has ended", async () => {
  expect((await list()).activity).toBeUndefined();
  const woken = (await wake()).activity;
  expect(woken?.activeMs).toBe(0);
  for (let i = 0; i < 5; i++) expect((await call("GET", "/health", PROBE)).status).toBe(200);
  expect((await list()).activity).toMatchObject({ wake: woken?.wake, activeMs: 0 });

  const stream = call("GET", "/api/count?to=10&everyMs=50", PORT);
  while ((await list()).activity?.activeMs === 0) await delay(10);
  expect((await list()).activity?.idleMs).toBe(0);
  expect((await stream).status).toBe(200);
  const after = (await list()).activity;
  expect(after?.activeMs).toBeGreaterThanOrEqual(400);
  await delay(20);
  expect((await list()).activity?.activeMs).toBe(after?.activeMs);
});

test("with traffic under way or just past, a kill of what is idle ends nothing", async () => {
  const [gateway] = (await wake()).processes;
  const stream = call("GET", "/api/count?to=10&everyMs=20", PORT);
  while ((await list()).activity?.activeMs === 0) await delay(5);
  expect(await end("/processes?idleMs=1")).toEqual({ killed: 0, busy: true });
  expect((await stream).text.trim().split("\n")).toHaveLength(10);
  expect(await end("/processes?idleMs=600000")).toEqual({ killed: 0, busy: true });
  expect((await list()).processes).toEqual([gateway]);
  await delay(20);
  expect((await end("/processes?idleMs=10")).busy).toBeUndefined();
  expect((await list()).processes).toEqual([]);
  expect((await call("DELETE", "/processes?idleMs=soon")).status).toBe(400);
});

test("sleep ends its processes and takes its disk, and the next waking has counters of its own", async () => {
  const before = (await wake()).activity;
  await call("GET", "/", PORT);
  expect((await end("/")).killed).toBeGreaterThan(0);
  expect(await list()).toEqual({ processes: [] });
  for (const name of readdirSync(root)) expect(readdirSync(join(root, name))).toEqual([]);
  expect(JSON.parse((await call("GET", "/state")).text)).toEqual({ empty: true });
  expect((await call("GET", "/", PORT)).status).toBe(502);
  expect((await call("POST", "/archives/of-nothing")).status).toBe(500);
  expect(await end("/")).toEqual({ killed: 0 });
  expect((await list()).activity).toBeUndefined();

  const after = (await wake()).activity;
  expect(after?.wake).not.toBe(before?.wake);
  expect(after?.activeMs).toBe(0);
  expect((await call("GET", "/", PORT)).text).toContain('<span id="visits">1</span>');
});

test("a sandbox whose edge ended is awake again with the next, as its disk is still there", async () => {
  await wake();
  await sandboxes.stop();
  sandboxes = await start();
  socket = await sandboxes.socket(acme);
  const seen = await list();
  expect(seen.processes).toEqual([]);
  expect(seen.activity).toMatchObject({ webSocketSessions: 0, activeMs: 0 });
  writeFileSync(join(root, "state/more"), "to lose");
  await end("/");
  expect(readdirSync(join(root, "state"))).toEqual([]);
});
