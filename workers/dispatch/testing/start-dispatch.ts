/** Starts the bundled dispatch Worker in workerd with stand-ins for its dependencies. */

import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TransformStream } from "node:stream/web";
import { Miniflare, Response } from "@tenantry/edge/workerd";
import type { Request, RequestInit } from "miniflare";
import { bundleWorker } from "#workers/bundle.ts";
import type { TenantRecord } from "#workers/contracts/tenant-entry.ts";
import { type AccessTeam, startAccessTeam } from "#workers/shared/access/testing/access-team.ts";
import { HELD_QUEUE } from "./held-queue.ts";
import { DISPATCHER, TENANTS } from "./namespace.ts";
import { type RestServer, startRestServer } from "./rest-server.ts";

export const DOMAIN = "example.test";
export const PLATFORM_AUDIENCE = "audience-of-the-platform";
export const INVALIDATE_TOKEN = "token-that-invalidates";
export const DOORS_KEY = "password-that-encrypts-secrets-of-doors";
const QUEUE_WAIT_SECONDS = 0;

export interface RecordedTick {
  worker: string;
  tick: { scheduledTime: string };
}

export interface RecordedCut {
  worker: string;
  cut: { routable: boolean };
}

export interface RecordedMessage {
  worker: string;
  /** `digest`: SHA-256 of the body's bytes, in hex. */
  message: { headers: Record<string, string>; body: string; digest: string };
}

export interface DispatchUnderTest {
  access: AccessTeam;
  rest: RestServer;
  /** Address of workerd, for raw requests with a `Host` header. */
  url: URL;
  /** Log lines of the Worker and of the runtime. */
  logs: string[];
  ticks: RecordedTick[];
  cuts: RecordedCut[];
  /** What the tenants' inboxes have stored. */
  messages: RecordedMessage[];
  /** Requests `https://{host}{path}` without following redirects. */
  fetch(host: string, path: string, init?: RequestInit): Promise<Response>;
  kv(): Promise<Awaited<ReturnType<Miniflare["getKVNamespace"]>>>;
  /** Fires the cron trigger. */
  scheduled(time: Date): Promise<void>;
  /** Delivers a batch to the Worker's queue handler. */
  queue(bodies: unknown[]): Promise<{ ackAll: boolean }>;
  stop(): Promise<void>;
}

/**
 * @param bindings override those of production
 * @param o.held receives what the Worker sends to its queue, which then delivers nothing
 * @param o.tenant responds instead of the tenants' Workers; the header `test-worker` has the Worker's name
 * @param o.outside responds to the Worker's requests to other hosts
 * @param o.speed factor of the Worker's clock and timers
 */
export async function startDispatch(
  bindings: Record<string, string> = {},
  {
    held,
    tenant,
    outside,
    speed = 1,
  }: {
    held?: (messages: unknown) => void;
    tenant?: (request: Request) => Response | Promise<Response>;
    outside?: (request: Request) => Response | Promise<Response>;
    speed?: number;
  } = {},
): Promise<DispatchUnderTest> {
  const { path, mainModule, compatibilityDate, compatibilityFlags } = await bundleWorker("dispatch");
  const access = await startAccessTeam();
  const rest = await startRestServer("service-role-key");
  const logs: string[] = [];
  const ticks: RecordedTick[] = [];
  const cuts: RecordedCut[] = [];
  const messages: RecordedMessage[] = [];
  // Miniflare would remove its own while workerd may still write there.
  const storage = await mkdtemp(join(tmpdir(), "dispatch-test-"));
  const miniflare = new Miniflare({
    host: "127.0.0.1",
    logRequests: false,
    cachePersist: join(storage, "cache"),
    kvPersist: join(storage, "kv"),
    structuredWorkerdLogs: true,
    handleStructuredLogs: ({ message }: { message: string }) => void logs.push(message),
    workers: [
      {
        name: "dispatch",
        modules: [
          {
            type: "ESModule",
            path: mainModule,
            contents: fastClock(speed) + (await readFile(join(path, mainModule), "utf8")),
          },
        ],
        compatibilityDate,
        compatibilityFlags,
        kvNamespaces: ["TENANT_INDEX"],
        ...(outside && {
          outboundService: (request: Request) =>
            new URL(request.url).hostname === "127.0.0.1" ? passedOn(request) : outside(request),
        }),
        ...(held === undefined && {
          queueProducers: { FANOUT: "fanout" },
          queueConsumers: { fanout: { maxBatchSize: 100, maxBatchTimeout: QUEUE_WAIT_SECONDS } },
        }),
        wrappedBindings: {
          DISPATCHER: { scriptName: "dispatcher" },
          ...(held && { FANOUT: { scriptName: "held-queue" } }),
        },
        bindings: {
          ENVIRONMENT: "production",
          PLATFORM_DOMAIN: DOMAIN,
          ACCESS_ISSUER: access.issuer,
          PLATFORM_AUDIENCE,
          SUPABASE_URL: rest.url,
          SUPABASE_SERVICE_ROLE_KEY: rest.key,
          INVALIDATE_TOKEN,
          DOORS_KEY,
          CF_ACCOUNT_ID: "account",
          // No server listens there.
          CLOUDFLARE_API_URL: "http://127.0.0.1:9/client/v4",
          AI_GATEWAY_LOGS_TOKEN: "token-that-reads-logs",
          ...bindings,
        },
      },
      {
        name: "dispatcher",
        modules: [{ type: "ESModule", path: "dispatcher.js", contents: DISPATCHER }],
        serviceBindings: { TENANTS: tenant ?? "tenants" },
      },
      ...(held === undefined
        ? []
        : [
            {
              name: "held-queue",
              modules: [{ type: "ESModule" as const, path: "held-queue.js", contents: HELD_QUEUE }],
              serviceBindings: {
                HELD: async (request: Request) => {
                  held(await request.json());
                  return new Response(null, { status: 204 });
                },
              },
            },
          ]),
      {
        name: "tenants",
        compatibilityDate,
        modules: [{ type: "ESModule", path: "tenants.js", contents: TENANTS }],
        serviceBindings: {
          RECORD: async (request: Request) => {
            const record = (await request.json()) as RecordedTick | RecordedCut | RecordedMessage;
            if ("message" in record) messages.push(record);
            else if ("cut" in record) cuts.push(record);
            else ticks.push(record);
            return new Response(null, { status: 204 });
          },
        },
      },
    ],
  });
  const stop = async () => {
    await miniflare.dispose();
    await rm(storage, { recursive: true });
    await Promise.all([access.stop(), rest.stop()]);
  };
  try {
    const url = await miniflare.ready;
    return {
      access,
      rest,
      url,
      logs,
      ticks,
      cuts,
      messages,
      fetch: async (host, path, init = {}) => {
        const answer = await miniflare.dispatchFetch(`https://${host}${path}`, { redirect: "manual", ...init });
        // Miniflare copies responses, and cancels an unread body when the original is collected.
        return answer.body === null ? answer : new Response(answer.body.pipeThrough(new TransformStream()), answer);
      },
      kv: () => miniflare.getKVNamespace("TENANT_INDEX", "dispatch"),
      scheduled: async (scheduledTime) => {
        await (await miniflare.getWorker("dispatch")).scheduled({ scheduledTime, cron: "* * * * *" });
      },
      queue: async (bodies) => {
        const messages = bodies.map((body, id) => ({ id: String(id), timestamp: new Date(), attempts: 1, body }));
        const result = await (await miniflare.getWorker("dispatch")).queue("fanout", messages);
        return { ackAll: result.ackAll };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function passedOn(request: Request): Promise<Response> {
  const { url, method, headers } = request;
  const body = method === "GET" ? undefined : await request.text();
  const answer = await fetch(url, { method, headers: Object.fromEntries(headers), ...(body && { body }) });
  const { status } = answer;
  return new Response(status === 204 ? null : await answer.text(), { status });
}

/** Returns code that makes minutes pass in seconds. */
function fastClock(speed: number): string {
  if (speed === 1) return "";
  return `{
    const [now, later] = [Date.now.bind(Date), globalThis.setTimeout];
    let start;
    Date.now = () => (start ??= now()) + (now() - start) * ${speed};
    globalThis.setTimeout = (call, ms, ...rest) => later(call, ms / ${speed}, ...rest);
  }
  `;
}

let made = 0;

/** A tenant that is active and running, with changes. */
export function tenant(slug: string, changes: Partial<TenantRecord> = {}): TenantRecord {
  made += 1;
  const id = (kind: number) => `0000000${kind}-0000-4000-8000-${String(made).padStart(12, "0")}`;
  return {
    client_id: id(1),
    slug,
    environment: "production",
    billing_plan: "pro",
    client_status: "active",
    seats: 3,
    credits: { purchased: 100, consumed: 25.5 },
    instance_id: id(2),
    instance_status: "running",
    worker_name: `tenant-${slug}`,
    access_aud: `audience-of-${slug}`,
    partner: null,
    ...changes,
  };
}
