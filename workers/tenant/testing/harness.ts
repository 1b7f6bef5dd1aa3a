/** A tenant for tests: the built bundle in workerd, over the local container engine and real processes. */

import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { DataPoint } from "@tenantry/edge/analytics";
import {
  type Confinement,
  type ContainerEngine,
  type ContainerEngineOptions,
  type ProcessEngine,
  probeConfinement,
} from "@tenantry/edge/containers";
import {
  EngineClient,
  objectId,
  StoredBucket,
  sharedHost,
  sharedStorage,
  workspaceOf,
} from "@tenantry/edge/testing/runtime";
import { createScratch, engineOptions, nativeBindings, removeScratch, startWorkerd } from "@tenantry/edge/workerd";
import { bundleWorker } from "#workers/bundle.ts";
import { type HealthSnapshot, healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { gatewayProcessImage } from "../container/process-image.ts";
import { captureAnalytics } from "./captured-analytics.ts";
import { type GatewayProcess, gatewayProcesses } from "./gateway-processes.ts";

const repository = join(import.meta.dirname, "../../..");
const container = join(repository, "workers/tenant/container");

export const TOKEN = "token-of-the-gateway";
const REFERENCE = join(container, "reference/gateway.mjs");
const reference = (startMs: number): string[] => [
  "env",
  `REFERENCE_GATEWAY_START_MS=${startMs}`,
  process.execPath,
  REFERENCE,
];
export const referenceGateway = reference(200);
/** One whose start takes long enough to be watched. */
export const slowGateway = reference(1500);
export const faultGateway = (mode: string): string[] => [
  process.execPath,
  join(import.meta.dirname, "fault-gateway.mjs"),
  mode,
];

/** A gateway that is as its test tells it to be. @param unwellMs how long its health is bad at first, in milliseconds */
export const scriptedGateway = (unwellMs = 0): string[] => [
  process.execPath,
  join(import.meta.dirname, "scripted-gateway.mjs"),
  String(unwellMs),
];

let built: Promise<{ script: string; hash: string }> | undefined;

/** The Worker as the stack deploys it: built once a run, and not at all while its sources stay. */
function tenantBundle(): Promise<{ script: string; hash: string }> {
  built ??= bundleWorker("tenant").then(({ path, mainModule, contentHash: hash }) => {
    return { script: readFileSync(join(path, mainModule), "utf8"), hash };
  });
  return built;
}

let usual: Promise<Confinement> | undefined;

/** As far as this machine allows: tried once a run, as it takes longer than the start of a container. */
function usualConfinement(): Promise<Confinement> {
  usual ??= probeConfinement(gatewayProcessImage());
  return usual;
}

/** What the reference gateway answers to `--version`, which takes as long as its start; tests of upgrades ask it itself. */
const REFERENCE_VERSION = ["echo", JSON.stringify({ name: "reference-gateway", version: "1.0.0" })];

export interface Tenant {
  url: string;
  /** Where the files of the tenant's container lie, once it has had one. */
  readonly root: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  health(query?: string): Promise<HealthSnapshot>;
  /** Asks `/api/health` until `condition` holds, within a minute. */
  until(condition: (snapshot: HealthSnapshot) => boolean, query?: string): Promise<HealthSnapshot>;
  /** The gateway, the startup script and what they started; or those of a type alone. */
  processes(type?: GatewayProcess["type"]): GatewayProcess[];
  bucket: StoredBucket;
  /** What the Worker wrote to its analytics dataset, oldest first. */
  points(): DataPoint[];
  /** What the Worker and its runtime printed. */
  output(): string;
  /** Runs a command in the container, past the Worker. @returns what it prints @throws Error when it fails */
  inside(command: string[]): Promise<string>;
  /** Ends the Worker and the engine, as the edge's end does, and starts both on what they left. */
  restartEngine(): Promise<void>;
  /** Starts the Worker cold, its objects too; what they stored stays, and the sandbox goes on. */
  restartWorker(bindings?: Record<string, string>): Promise<void>;
  /** Once, however often it is asked for. */
  stop(): Promise<void>;
}

/** What lies in the state directory; nothing while there is no container. */
export function stateFiles({ root }: Tenant): string[] {
  const state = join(root, "state");
  return existsSync(state) ? readdirSync(state) : [];
}

/** Between two looks of {@link eventually}, in milliseconds. */
const LOOK_MS = 50;
/** Between two health calls, each of which runs several commands in the container. */
const HEALTH_LOOK_MS = 100;

/**
 * Polls until `condition` is truthy, within a minute.
 *
 * @param state told when it did not
 * @param everyMs between two looks
 */
export async function eventually<T>(
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  state?: () => unknown,
  everyMs = LOOK_MS,
): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) {
      const found = state === undefined ? "" : `: ${JSON.stringify(await state())}`;
      throw new Error(`the condition did not come true within a minute${found}`);
    }
    await delay(everyMs);
  }
}

export interface TenantOptions {
  /** Where sandbox and bucket lie, kept by `stop`; a directory of its own otherwise. */
  directory?: string;
  /** Bindings beside the usual ones, or in their place. */
  bindings?: Record<string, string>;
  /**
   * Puts something between workerd and the engine.
   *
   * @param engine the engine's own address
   * @param directory of the tenant
   * @returns the address that workerd gets
   */
  between?: (engine: string, directory: string) => Promise<string>;
  /** Prints the gateway's name and version. Default: the reference gateway's, when it is that; else none. */
  versionCommand?: string[];
  /** Of the engine. */
  confinement?: ContainerEngineOptions["confinement"];
  /** Starts the tenant's engine on a directory. Default: one that runs plain processes. */
  openEngine?: (directory: string) => Promise<ContainerEngine>;
}

/** The tenant's Worker, as Miniflare calls it. */
const WORKER = "tenant";

/** The tenant's script. */
export const TENANT_SCRIPT = { namespace: "tenants", name: "tenant-acme" };

/** Starts a tenant, for whoever stops it: tests have the fixtures of `test.ts`. */
export async function startTenant(
  gatewayCommand: string[] = referenceGateway,
  options: TenantOptions = {},
): Promise<Tenant> {
  const { script, hash } = await tenantBundle();
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), "tenant-test-"));
  const ofReference = gatewayCommand.at(-1) === REFERENCE ? REFERENCE_VERSION : undefined;
  const image = gatewayProcessImage({
    command: gatewayCommand,
    versionCommand: options.versionCommand ?? ofReference,
  });
  const processEngine = async () =>
    sharedHost().open({
      directory,
      image,
      confinement: options.confinement ?? (await usualConfinement()),
      log: () => {},
    });
  const openEngine = async (): Promise<ContainerEngine | ProcessEngine> => {
    const opened = await (options.openEngine?.(directory) ?? processEngine());
    await opened.ready(TENANT_SCRIPT);
    return opened;
  };
  let engine = await openEngine();
  const engineKey = () => engine.uniqueKey(TENANT_SCRIPT, "Sandbox");
  let address = (await options.between?.(engine.address, directory)) ?? engine.address;
  const kept = mkdtempSync(join(directory, "worker-"));
  const analytics = await captureAnalytics(kept);
  let output = "";
  const storage = await sharedStorage();
  // Who starts on the same directory again finds it again.
  const bucket = `tenant-${createHash("sha256").update(directory).digest("hex").slice(0, 16)}`;
  const scratch = createScratch();
  const startWorker = (bindings: Record<string, string> = {}) =>
    startWorkerd({
      label: "tenant",
      scratch,
      log: (_area, _event, { line } = {}) => {
        output += `${line}\n`;
      },
      options: {
        durableObjectsPersist: join(kept, "objects"),
        workers: [
          {
            name: WORKER,
            containerEngine: engineOptions({ address, egressImage: engine.egressImage }),
            // Named, so that Miniflare does not look through it for others.
            modules: [{ type: "ESModule", path: "index.js", contents: script }],
            compatibilityDate: "2026-07-01",
            compatibilityFlags: ["nodejs_compat"],
            // Miniflare's own entry gathers streams and hides broken ones.
            unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
            durableObjects: {
              SUPERVISOR: { className: "Supervisor", useSQLite: true },
              Sandbox: {
                className: "Sandbox",
                useSQLite: true,
                unsafeUniqueKey: engineKey(),
                container: { imageName: engine.image ?? "gateway" },
              },
            },
            unsafeBindings: [
              ...analytics.bindings,
              ...nativeBindings([storage.binding("r2Bucket", "BACKUP_BUCKET", bucket)]),
            ],
            bindings: {
              GATEWAY_TOKEN: TOKEN,
              TENANT_SLUG: "acme",
              ENVIRONMENT: "development",
              BUNDLE_HASH: hash,
              AI_GATEWAY_API_KEY: "key-of-the-ai-gateway",
              ...options.bindings,
              ...bindings,
            },
          },
        ],
      },
    });
  let workerd = await startWorker();
  const url = async () => `http://127.0.0.1:${await workerd.port(WORKER)}`;
  const end = async () => {
    await workerd.stop();
    removeScratch(scratch);
    await analytics.stop();
    await engine.stop();
    if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
  };
  let stopped: Promise<void> | undefined;
  const tenant: Tenant = {
    url: await url(),
    get root() {
      return workspaceOf(directory, TENANT_SCRIPT);
    },
    fetch: (path, init) => fetch(`${tenant.url}${path}`, { redirect: "manual", ...init }),
    health: async (query = "") => healthSnapshot.parse(await (await tenant.fetch(`/api/health${query}`)).json()),
    until: (condition, query) =>
      eventually(
        async () => {
          const snapshot = await tenant.health(query);
          return condition(snapshot) && snapshot;
        },
        async () => {
          const log = await tenant.fetch("/api/admin/gateway/log", { headers: { "X-Platform-Role": "ADMIN" } });
          return { ...(await tenant.health("?passive=1")), log: await log.text() };
        },
        HEALTH_LOOK_MS,
      ),
    processes(type) {
      if (!("marker" in engine)) throw new Error("the engine's processes are its own");
      return gatewayProcesses(engine.marker).filter((found) => type === undefined || found.type === type);
    },
    async inside(command) {
      const client = new EngineClient(engine.address);
      const key = engineKey();
      const { code, stdout, stderr } = await client.exec(`workerd-${key}-${objectId(key, "gateway")}`, command);
      if (code !== 0) throw new Error(`${command.join(" ")} exited with ${code}: ${stderr}`);
      return stdout;
    },
    bucket: new StoredBucket(storage, bucket),
    points: () => analytics.points(),
    output: () => output,
    async restartWorker(bindings) {
      await workerd.stop();
      workerd = await startWorker(bindings);
      tenant.url = await url();
    },
    async restartEngine() {
      await workerd.stop();
      await engine.stop();
      engine = await openEngine();
      address = engine.address;
      workerd = await startWorker();
      tenant.url = await url();
    },
    stop() {
      stopped ??= end();
      return stopped;
    },
  };
  return tenant;
}

/** As {@link startTenant}, of a tenant that ends with its test or file. */
export type OpenTenant = typeof startTenant;
