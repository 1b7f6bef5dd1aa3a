/** Runs the bundled Workers of dispatch and a tenant in one workerd, without the local edge, beside a Worker that only forwards. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ContainerEngine, startContainerEngine } from "@tenantry/edge/containers";
import { EngineClient } from "@tenantry/edge/testing/runtime";
import {
  createScratch,
  engineOptions,
  readCpu,
  removeScratch,
  startWorkerd,
  type WorkerDefinition,
} from "@tenantry/edge/workerd";
import { bundleWorker, type WorkerName } from "#workers/bundle.ts";
import type { DispatchBindings, TenantBindings, TextValues, ValuesOf } from "#workers/contracts/bindings.ts";
import { CUT_PATH, type CutOrder } from "#workers/contracts/tenant/internal.ts";
import { addDoor } from "#workers/dispatch/hooks/testing/door.ts";
import { HOOKS_HOST } from "#workers/dispatch/hooks/testing/send.ts";
import { SAMPLES, signed } from "#workers/dispatch/hooks/testing/webhooks.ts";
import { startRestServer } from "#workers/dispatch/testing/rest-server.ts";
import { DOMAIN, DOORS_KEY, PLATFORM_AUDIENCE, tenant } from "#workers/dispatch/testing/start-dispatch.ts";
import { startAccessTeam } from "#workers/shared/access/testing/access-team.ts";
import { gatewayProcessImage } from "#workers/tenant/container/process-image.ts";
import { captureAnalytics } from "#workers/tenant/testing/captured-analytics.ts";
import { gatewayProcesses } from "#workers/tenant/testing/gateway-processes.ts";
import { Client, type Target } from "../client.ts";
import { measureTime } from "../measure.ts";
import { waitFor } from "../waiting.ts";
import { GatewayPorts } from "./gateway-ports.ts";
import { putToSleep, type SleepingTenant } from "./sleeping-tenant.ts";
import {
  FORWARDER_SOURCE,
  INBOX,
  INBOX_WORKER,
  LOGGING_FORWARDER_SOURCE,
  SMALL,
  SMALL_WORKER,
  VERIFIER_SOURCE,
} from "./workers.ts";

const USER = "ada@acme.example";
const ACCOUNT_ID = "account";
const UNREACHABLE = "http://127.0.0.1:9";
const GATEWAY_TOKEN = "token-of-the-gateway";
const START_MS = 12_000;
/** About the size of a push with one commit. */
const PUSH = JSON.stringify({ repository: { full_name: "acme/site" }, commits: "x".repeat(7_000) });
/** Slug of the tenant with the bundled Worker. */
export const REAL = "acme";
/** Slug of another one, which sleeps when it is idle. */
const IDLE = "idle";
/** Slug of another one, which stores webhooks and delivers none. */
const HELD = "held";
const DISPATCHER = `
export default ({ SMALL, INBOX, IDLE, HELD, REAL }) => {
  const workers = { "tenant-${SMALL}": SMALL, "tenant-${INBOX}": INBOX, "tenant-${IDLE}": IDLE, "tenant-${HELD}": HELD };
  return { get: (name) => ({ fetch: (request) => (workers[name] ?? REAL).fetch(request) }) };
};
`;

/** The dispatch Worker, and its baselines. */
export type DoorWorker = "dispatch" | "verify" | "verify-and-store";

export interface OneWorkerd {
  client: Client;
  to(worker: "dispatch" | "forward" | "forward-and-log", slug: string, path: string): Promise<Target>;
  /** A new webhook of GitHub. @param key of the door. Default: the one that exists @param isForged Default: false */
  webhook(worker: DoorWorker, o?: { key?: string; isForged?: boolean }): Promise<Target>;
  /** Starts a tenant, and returns it when it sleeps. Call it once. */
  sleepingTenant(): Promise<SleepingTenant>;
  direct(path: string): Target;
  /** Runs an empty command in the tenant's container by the engine's API. @returns milliseconds */
  emptyCommand(): Promise<number>;
  cpu(): number;
  close(): Promise<void>;
}

export async function startOneWorkerd(): Promise<OneWorkerd> {
  const scratch = createScratch();
  const client = new Client();
  const endings: (() => unknown)[] = [() => removeScratch(scratch), () => client.close()];
  const close = async () => {
    for (const end of endings.toReversed()) await end();
  };
  try {
    const [access, rest] = await Promise.all([startAccessTeam(), startRestServer("service-role-key")]);
    endings.push(() => Promise.all([access.stop(), rest.stop()]));
    for (const slug of [REAL, SMALL]) {
      rest.tenants.set(slug, tenant(slug));
      rest.roles.set(`${slug} ${USER}`, "ADMIN");
    }
    for (const slug of [HELD, IDLE]) rest.tenants.set(slug, tenant(slug));
    const door = await addDoor(rest, HELD, "github");
    const idleDoor = await addDoor(rest, IDLE, "slack");
    const {
      method,
      headers,
      body = "",
    } = await signed("github", "72d3162e-cc78-11e3-81ab-4c9367dc0958", { body: PUSH });
    const containers = await startContainerEngine({
      directory: join(scratch.directory, "containers"),
      image: gatewayProcessImage(),
      log: () => {},
    });
    endings.push(() => containers.stop());
    const points = join(scratch.directory, "points");
    mkdirSync(points);
    const analytics = await captureAnalytics(points);
    endings.push(() => analytics.stop());
    const bindings: TextValues<DispatchBindings> = {
      ENVIRONMENT: "production",
      PLATFORM_DOMAIN: DOMAIN,
      ACCESS_ISSUER: access.issuer,
      PLATFORM_AUDIENCE,
      SUPABASE_URL: rest.url,
      SUPABASE_SERVICE_ROLE_KEY: rest.key,
      INVALIDATE_TOKEN: "token-that-invalidates",
      DOORS_KEY,
      CF_ACCOUNT_ID: ACCOUNT_ID,
      CLOUDFLARE_API_URL: UNREACHABLE,
      AI_GATEWAY_LOGS_TOKEN: "token-that-reads-logs",
    };
    const workers = [
      ...(await dispatchingWorker(bindings)),
      await realTenant(REAL, containers, analytics.bindings),
      await realTenant(IDLE, containers, analytics.bindings, { SLEEP_AFTER_SECONDS: "1" }),
      {
        ...(await realTenant(HELD, containers, analytics.bindings, { INBOX_MESSAGES: "1000000" })),
        unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      },
      { name: "small", modules: true as const, script: SMALL_WORKER },
    ];
    const workerd = await startWorkerd({
      options: {
        workers,
        durableObjectsPersist: join(scratch.directory, "objects"),
        r2Persist: join(scratch.directory, "r2"),
      },
      scratch,
      label: "bench",
      log: () => {},
    });
    endings.push(() => workerd.stop());
    await holdTenant(await workerd.port(HELD));

    const jwts = new Map<string, string>();
    for (const slug of [REAL, SMALL]) {
      jwts.set(slug, await access.token({ email: USER, aud: [`audience-of-${slug}`] }));
    }
    const to: OneWorkerd["to"] = async (worker, slug, path) =>
      tenantTarget(await workerd.port(worker), slug, path, jwts.get(slug) ?? "");
    const first = await to("dispatch", REAL, "/health");
    await waitFor(() => client.call(first), START_MS);
    const gateway = gatewayProcesses(containers.marker).find(({ type }) => type === "gateway");
    if (gateway === undefined) throw new Error("The gateway does not run.");
    const ports = new GatewayPorts();
    endings.push(() => ports.close());
    const engine = new EngineClient(containers.address);
    const name = gateway.container.slice(`${containers.marker}/`.length);
    return {
      client,
      to,
      webhook: async (worker, { key = door.key, isForged = false } = {}) => ({
        port: await workerd.port(worker),
        path: `http://${HOOKS_HOST}/${key}`,
        method,
        headers: {
          host: HOOKS_HOST,
          "user-agent": "GitHub-Hookshot/044aadd",
          "cf-connecting-ip": "192.0.2.1",
          "cf-ray": "0123456789abcdef-LOCAL",
          ...headers,
          "x-github-delivery": crypto.randomUUID(),
          ...(isForged && { "x-hub-signature-256": `sha256=${"0".repeat(64)}` }),
        },
        body,
        statuses: isForged ? [404, 429] : [200],
      }),
      sleepingTenant: async () =>
        putToSleep(containers, scriptOf(IDLE), { client, port: await workerd.port("dispatch"), key: idleDoor.key }),
      direct: (path) => ({ ...ports.of(gateway), path, headers: { authorization: `Bearer ${GATEWAY_TOKEN}` } }),
      emptyCommand: () =>
        measureTime(async () => {
          const { code } = await engine.exec(name, ["true"]);
          if (code !== 0) throw new Error(`The empty command exited with ${code}.`);
        }),
      cpu: () => {
        const reading = readCpu(workerd.pid);
        if (reading === undefined) throw new Error("This system has no /proc/PID/schedstat.");
        return reading.ran * 1_000;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Ends a tenant's deliveries, as for one that is frozen. */
async function holdTenant(port: number): Promise<void> {
  const order: CutOrder = { routable: false };
  const { status } = await fetch(`http://127.0.0.1:${port}${CUT_PATH}`, {
    method: "POST",
    body: JSON.stringify(order),
  });
  if (status !== 204) throw new Error(`The order to hold a tenant was refused with status ${status}.`);
}

async function bundledWorker(name: WorkerName) {
  const { path, mainModule, compatibilityDate, compatibilityFlags } = await bundleWorker(name);
  const contents = readFileSync(join(path, mainModule), "utf8");
  return {
    modules: [{ type: "ESModule" as const, path: mainModule, contents }],
    compatibilityDate,
    compatibilityFlags,
  };
}

async function dispatchingWorker(bindings: TextValues<DispatchBindings>): Promise<WorkerDefinition[]> {
  const { modules, ...compatibility } = await bundledWorker("dispatch");
  const common = {
    ...compatibility,
    unsafeDirectSockets: [{ host: "127.0.0.1", port: 0, proxy: true }],
    wrappedBindings: { DISPATCHER: { scriptName: "dispatcher", bindings: {} } } satisfies ValuesOf<
      DispatchBindings,
      "dispatch_namespace",
      object
    >,
  };
  const secret = { SECRET: SAMPLES.github.secrets.secret ?? "" };
  return [
    {
      name: "dispatch",
      modules,
      kvNamespaces: { TENANT_INDEX: "tenant-index" } satisfies ValuesOf<DispatchBindings, "kv_namespace", string>,
      queueProducers: { FANOUT: { queueName: "fanout" } } satisfies ValuesOf<DispatchBindings, "queue", object>,
      bindings,
      ...common,
    },
    { name: "forward", modules: true, script: FORWARDER_SOURCE, ...common },
    { name: "forward-and-log", modules: true, script: LOGGING_FORWARDER_SOURCE, ...common },
    { name: "verify", modules: true, script: VERIFIER_SOURCE, bindings: secret, ...common },
    {
      name: "verify-and-store",
      modules: true,
      script: VERIFIER_SOURCE.replace("STORES = false", "STORES = true"),
      bindings: secret,
      ...common,
    },
    {
      name: "inbox",
      modules: true,
      script: INBOX_WORKER,
      ...compatibility,
      durableObjects: { INBOX: { className: "Inbox", useSQLite: true } },
    },
    {
      name: "dispatcher",
      modules: true,
      script: DISPATCHER,
      serviceBindings: {
        REAL: { name: REAL },
        IDLE: { name: IDLE },
        HELD: { name: HELD },
        SMALL: { name: "small" },
        INBOX: { name: "inbox" },
      },
    },
  ];
}

const scriptOf = (slug: string) => ({ namespace: "tenants", name: `tenant-${slug}` });

async function realTenant(
  slug: string,
  containers: ContainerEngine,
  analytics: NonNullable<WorkerDefinition["unsafeBindings"]>,
  more: Partial<TextValues<TenantBindings>> = {},
): Promise<WorkerDefinition> {
  const bindings: TextValues<TenantBindings> = {
    GATEWAY_TOKEN,
    TENANT_SLUG: slug,
    ENVIRONMENT: "production",
    CF_ACCOUNT_ID: ACCOUNT_ID,
    AI_GATEWAY_ID: "pool-a",
    AI_GATEWAY_URL: UNREACHABLE,
    AI_GATEWAY_API_KEY: "key",
    CF_AIG_AUTHORIZATION: "key",
    BILLING_PLAN: "pro",
    DEFAULT_MODEL: "openai/gpt-5-mini",
    TENANT_ORIGIN: `https://${slug}.${DOMAIN}`,
    ACCESS_AUD: `audience-of-${slug}`,
    CDP_SECRET: "secret",
    BUNDLE_HASH: "0".repeat(64),
    BACKUP_RETENTION_DAYS: "30",
    ...more,
  };
  return {
    name: slug,
    ...(await bundledWorker("tenant")),
    durableObjects: {
      SUPERVISOR: { className: "Supervisor", useSQLite: true },
      Sandbox: {
        className: "Sandbox",
        useSQLite: true,
        unsafeUniqueKey: containers.uniqueKey(scriptOf(slug), "Sandbox"),
        container: { imageName: "gateway" },
      },
    } satisfies ValuesOf<TenantBindings, "durable_object_namespace", object>,
    containerEngine: engineOptions(containers),
    r2Buckets: { BACKUP_BUCKET: `backups-${slug}` } satisfies ValuesOf<TenantBindings, "r2_bucket", string>,
    unsafeBindings: analytics,
    bindings,
  };
}

function tenantTarget(port: number, slug: string, path: string, jwt: string): Target {
  const host = `${slug}.${DOMAIN}`;
  return {
    port,
    path: `http://${host}${path}`,
    headers: {
      host,
      accept: "application/json",
      "accept-language": "en",
      "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      cookie: `theme=dark; CF_Authorization=${jwt}`,
      "cf-access-jwt-assertion": jwt,
      "cf-connecting-ip": "192.0.2.1",
      "cf-ray": "0123456789abcdef-LOCAL",
      "x-forwarded-for": "192.0.2.1",
      "x-forwarded-proto": "https",
    },
  };
}
