/** A tenant for tests: the built bundle in workerd, with the local container engine and real processes. */

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
/** A gateway whose start can be observed. */
export const slowGateway = reference(1500);
export const faultGateway = (mode: string): string[] => [
  process.execPath,
  join(import.meta.dirname, "fault-gateway.mjs"),
  mode,
];

/** A gateway that the test controls. @param unhealthyMs how long it is unhealthy after its start, in milliseconds */
export const scriptedGateway = (unhealthyMs = 0): string[] => [
  process.execPath,
  join(import.meta.dirname, "scripted-gateway.mjs"),
  String(unhealthyMs),
];

let built: Promise<{ script: string; hash: string }> | undefined;

/** Builds the Worker as the stack deploys it, once per run and change of its sources. */
function tenantBundle(): Promise<{ script: string; hash: string }> {
  built ??= bundleWorker("tenant").then(({ path, mainModule, contentHash: hash }) => {
    return { script: readFileSync(join(path, mainModule), "utf8"), hash };
  });
  return built;
}

let usual: Promise<Confinement> | undefined;

/** Probes the machine's confinement once per run, since it takes longer than the start of a container. */
function usualConfinement(): Promise<Confinement> {
  usual ??= probeConfinement(gatewayProcessImage());
  return usual;
}

/** Prints the reference gateway's version without the cost of its start. Tests of upgrades use the real command. */
const REFERENCE_VERSION = ["echo", JSON.stringify({ name: "reference-gateway", version: "1.0.0" })];

export interface Tenant {
  url: string;
  /** Directory of the container's files. */
  readonly root: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  health(query?: string): Promise<HealthSnapshot>;
  /** Port for requests as a container sends them, in the form for a proxy: its requests to every host arrive there. */
  outboundPort(): Promise<number>;
  /** Polls `/api/health` until `condition` holds, for at most three minutes. */
  until(condition: (snapshot: HealthSnapshot) => boolean, query?: string): Promise<HealthSnapshot>;
  /** Returns the gateway, the startup script and their child processes, or those of a type. */
  processes(type?: GatewayProcess["type"]): GatewayProcess[];
  bucket: StoredBucket;
  /** Returns the points in the Worker's analytics dataset, oldest first. */
  points(): DataPoint[];
  /** Returns the output of the Worker and its runtime. */
  output(): string;
  /** Runs a command in the container without the Worker. @returns its output @throws Error when it fails */
  inside(command: string[]): Promise<string>;
  /** Ends the container with its processes and its disk, as a machine that fails. Without effect while none runs. */
  loseContainer(): Promise<void>;
  /** Restarts the Worker and the engine, as the edge does, on the same files. */
  restartEngine(): Promise<void>;
  /** Restarts the Worker and its objects on the same storage. The sandbox continues. */
  restartWorker(bindings?: Record<string, string>): Promise<void>;
  /** Stops the tenant. Further calls have no effect. */
  stop(): Promise<void>;
}

/** Returns the files in the state directory; none without a container. */
export function stateFiles({ root }: Tenant): string[] {
  const state = join(root, "state");
  return existsSync(state) ? readdirSync(state) : [];
}

const PATIENCE_MS = 180_000;
const POLL_MS = 50;
/** Longer, since a health call runs several commands in the container. */
const HEALTH_POLL_MS = 100;

/** Polls until `condition` is truthy, for at most three minutes: a loaded machine takes ten times as long as a free one. @param state is part of the error */
export async function eventually<T>(
  condition: () => Promise<T | undefined | false> | T | undefined | false,
  state?: () => unknown,
  everyMs = POLL_MS,
): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) {
      const found = state === undefined ? "" : `: ${JSON.stringify(await state())}`;
      throw new Error(`The condition was not met within ${PATIENCE_MS / 1000} s${found}`);
    }
    await delay(everyMs);
  }
}

export interface TenantOptions {
  /** Directory of sandbox and bucket, which `stop` does not delete. Default: a temporary one */
  directory?: string;
  /** Address of a server that replaces all hosts of the internet; it receives requests in the form for a proxy. */
  internetProxy?: string;
  /** Addresses that the Worker itself reaches without `internetProxy`. Default: all */
  outbound?: readonly ("public" | "private")[];
  /** Additional bindings. */
  bindings?: Record<string, string>;
  /** Starts a proxy between workerd and the engine at the address `engine`. @returns the address for workerd */
  between?: (engine: string, directory: string) => Promise<string>;
  /** Prints the gateway's name and version. Default: that of the reference gateway; none for other gateways */
  versionCommand?: string[];
  confinement?: ContainerEngineOptions["confinement"];
  /** Default: the machine's */
  network?: ContainerEngineOptions["network"];
  /** Hosts of the internet that the container reaches on this machine with its own network. Default: none */
  internet?: ContainerEngineOptions["internet"];
  /** Starts the tenant's engine. Default: an engine of plain processes */
  openEngine?: (directory: string) => Promise<ContainerEngine>;
}

/** Miniflare's name of the tenant's Worker. */
const WORKER = "tenant";
/** Entrypoint of the tenant Worker. */
const OUTBOUND = "Outbound";

export const TENANT_SCRIPT = { namespace: "tenants", name: "tenant-acme" };

/** Starts a tenant. The caller must stop it; tests use the fixtures of `test.ts`. */
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
      network: options.network,
      internet: options.internet,
      log: () => {},
    });
  const openEngine = async (): Promise<ContainerEngine | ProcessEngine> => {
    const opened = await (options.openEngine?.(directory) ?? processEngine());
    await opened.ready(TENANT_SCRIPT);
    return opened;
  };
  let engine = await openEngine();
  const engineKey = () => engine.uniqueKey(TENANT_SCRIPT, "Sandbox");
  const containerName = () => `workerd-${engineKey()}-${objectId(engineKey(), "gateway")}`;
  let address = (await options.between?.(engine.address, directory)) ?? engine.address;
  const kept = mkdtempSync(join(directory, "worker-"));
  const analytics = await captureAnalytics(kept);
  let output = "";
  const storage = await sharedStorage();
  // A tenant that starts again on the same directory has the same bucket.
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
            // Listed, so that Miniflare does not search it for imports.
            modules: [{ type: "ESModule", path: "index.js", contents: script }],
            compatibilityDate: "2026-07-01",
            compatibilityFlags: ["nodejs_compat"],
            // Miniflare's own entry buffers streams and hides broken ones.
            unsafeDirectSockets: [
              { host: "127.0.0.1", port: 0 },
              { host: "127.0.0.1", port: 0, entrypoint: OUTBOUND, proxy: true },
            ],
            ...(options.outbound !== undefined && {
              outboundService: { network: { allow: options.outbound, tlsOptions: { trustBrowserCas: true } } },
            }),
            ...(options.internetProxy !== undefined && {
              outboundService: { external: { address: options.internetProxy, http: { style: 1 } } },
            }),
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
    outboundPort: () => workerd.port(WORKER, OUTBOUND),
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
        HEALTH_POLL_MS,
      ),
    processes(type) {
      if (!("marker" in engine)) throw new Error("The engine's processes are not visible.");
      return gatewayProcesses(engine.marker).filter((found) => type === undefined || found.type === type);
    },
    async inside(command) {
      const { code, stdout, stderr } = await new EngineClient(engine.address).exec(containerName(), command);
      if (code !== 0) throw new Error(`${command.join(" ")} exited with ${code}: ${stderr}`);
      return stdout;
    },
    async loseContainer() {
      const path = `/containers/${containerName()}?force=true`;
      const { status } = await new EngineClient(engine.address).call("DELETE", path);
      if (status !== 204 && status !== 404) throw new Error(`The container was not removed: status ${status}.`);
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

/** As {@link startTenant}. The tenant stops with its test or file. */
export type OpenTenant = typeof startTenant;
