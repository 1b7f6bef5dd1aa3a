/** A tenant for tests: the built bundle in workerd, over a real sandbox supervisor and real processes. */

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Miniflare } from "miniflare";
import type { DataPoint } from "../../../local/runtime/analytics.ts";
import { type FoundProcess, findProcesses } from "../../../local/sandbox/processes.ts";
import { startSandboxes } from "../../../local/sandbox/sandboxes.ts";
import { type HealthSnapshot, healthSnapshot } from "../../contracts/health-snapshot.ts";
import { captureAnalytics } from "./captured-analytics.ts";

const repository = join(import.meta.dirname, "../../..");
const container = join(repository, "workers/tenant/container");

export const TOKEN = "token-of-the-gateway";
export const referenceGateway = [
  "env",
  "REFERENCE_GATEWAY_START_MS=1500",
  process.execPath,
  join(container, "reference-gateway.mjs"),
];
export const faultGateway = (mode: string): string[] => [
  process.execPath,
  join(import.meta.dirname, "fault-gateway.mjs"),
  mode,
];

/** A gateway that is as its test tells it to be. @param unwellMs how long its health is bad at first, in milliseconds */
export const moodyGateway = (unwellMs = 0): string[] => [
  process.execPath,
  join(import.meta.dirname, "moody-gateway.mjs"),
  String(unwellMs),
];

/** Builds the Worker as the stack does. @returns the bundle's text */
export const buildTenant = (): Promise<string> => bundle("index.js", "-c", "workers/tenant/wrangler.jsonc");

/** Builds a program of the tests' as a Worker. @param main its path below the repository @returns the bundle's text */
export const bundleWorker = (main: string): Promise<string> =>
  bundle(`${basename(main, ".ts")}.js`, main, "--name", "test", "--compatibility-date", "2026-07-01");

async function bundle(result: string, ...parameters: string[]): Promise<string> {
  const out = mkdtempSync(join(tmpdir(), "tenant-bundle-"));
  try {
    const wrangler = join(repository, "node_modules/wrangler/bin/wrangler.js");
    await promisify(execFile)(process.execPath, [wrangler, "deploy", "--dry-run", "--outdir", out, ...parameters], {
      cwd: repository,
      env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
    });
    return readFileSync(join(out, result), "utf8");
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

export interface Tenant {
  url: string;
  /** Directory of the tenant's sandbox. */
  root: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  health(query?: string): Promise<HealthSnapshot>;
  /** Asks `/api/health` until `condition` holds, within a minute. */
  until(condition: (snapshot: HealthSnapshot) => boolean, query?: string): Promise<HealthSnapshot>;
  processes(type?: FoundProcess["type"]): FoundProcess[];
  bucket(): ReturnType<Miniflare["getR2Bucket"]>;
  /** What the Worker wrote to its analytics dataset, oldest first. */
  points(): DataPoint[];
  /** Starts the Worker cold, its objects too; what they stored stays, and the sandbox goes on. */
  restartWorker(bindings?: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
}

/** Polls until `condition` is truthy, within a minute. */
export async function eventually<T>(
  condition: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error("the condition did not come true within a minute");
    await delay(25);
  }
}

export interface TenantOptions {
  /** Where sandbox and bucket lie, kept by `stop`; a directory of its own otherwise. */
  directory?: string;
  /** Bindings beside the usual ones, or in their place. */
  bindings?: Record<string, string>;
  /** Puts something between Worker and supervisor. @returns the socket that the Worker gets, given the supervisor's own */
  between?: (supervisor: string) => Promise<string>;
}

/** @param supervisorSocket a stand-in for the socket of the sandbox supervisor */
export async function startTenant(
  bundle: string,
  gatewayCommand: string[] = referenceGateway,
  supervisorSocket?: string,
  options: TenantOptions = {},
): Promise<Tenant> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), "tenant-test-"));
  const sandboxes = await startSandboxes({
    directory,
    startScript: join(container, "start-gateway.mjs"),
    gatewayCommand,
    log: () => {},
  });
  const root = join(directory, "tenants/tenant-acme");
  const own = await sandboxes.socket({ namespace: "tenants", name: "tenant-acme", className: "Sandbox" });
  const socket = supervisorSocket ?? (await options.between?.(own)) ?? own;
  const kept = mkdtempSync(join(directory, "worker-"));
  const analytics = await captureAnalytics(kept);
  const startWorker = (bindings: Record<string, string> = {}) =>
    new Miniflare({
      modules: true,
      script: bundle,
      compatibilityDate: "2026-07-01",
      compatibilityFlags: ["nodejs_compat"],
      host: "127.0.0.1",
      port: 0,
      // Miniflare's own entry gathers streams and hides broken ones.
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      durableObjects: {
        SUPERVISOR: { className: "Supervisor", useSQLite: true },
        Sandbox: { className: "Sandbox", useSQLite: true },
      },
      durableObjectsPersist: join(kept, "objects"),
      // Miniflare removes its own while workerd may still write there.
      cachePersist: join(kept, "cache"),
      // What workerd says of a sandbox that refuses is expected here.
      handleRuntimeStdio: (stdout: Readable, stderr: Readable) => {
        stdout.resume();
        stderr.resume();
      },
      unsafeBindings: analytics.bindings,
      r2Buckets: ["BACKUP_BUCKET"],
      r2Persist: join(directory, "r2"),
      bindings: {
        GATEWAY_TOKEN: TOKEN,
        TENANT_SLUG: "acme",
        ENVIRONMENT: "development",
        AI_GATEWAY_API_KEY: "key-of-the-ai-gateway",
        ...options.bindings,
        ...bindings,
      },
      serviceBindings: { SANDBOX_HOST: { external: { address: `unix:${socket}`, http: {} } } },
    });
  let miniflare = startWorker();
  const address = async () => (await miniflare.unsafeGetDirectURL()).href.replace(/\/$/, "");
  sandboxes.open((_, url) => ({ port: new URL(tenant.url).port, path: new URL(url).pathname }));
  const tenant: Tenant = {
    url: await address(),
    root,
    fetch: (path, init) => fetch(`${tenant.url}${path}`, { redirect: "manual", ...init }),
    health: async (query = "") => healthSnapshot.parse(await (await tenant.fetch(`/api/health${query}`)).json()),
    until: (condition, query) =>
      eventually(async () => {
        const snapshot = await tenant.health(query);
        return condition(snapshot) && snapshot;
      }),
    processes: (type) => findProcesses(root).filter((found) => type === undefined || found.type === type),
    bucket: () => miniflare.getR2Bucket("BACKUP_BUCKET"),
    points: () => analytics.points(),
    async restartWorker(bindings) {
      await miniflare.dispose();
      miniflare = startWorker(bindings);
      tenant.url = await address();
    },
    async stop() {
      await miniflare.dispose();
      await analytics.stop();
      await sandboxes.stop();
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
  return tenant;
}
