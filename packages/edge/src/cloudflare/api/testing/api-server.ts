import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HttpBindings, serve } from "@hono/node-server";
import Cloudflare, { toFile } from "cloudflare";
import { Hono } from "hono";
import { Store } from "#account/store.ts";
import { GatewayState } from "#ai-gateway/state.ts";
import { ImageRegistry } from "#containers/images.ts";
import { createRegistryServer } from "#containers/registry-server.ts";
import { createWeather, type WeatherOptions } from "#weather/weather.ts";
import { EdgeLimits, type LimitOverrides } from "../../../limits/edge-limits.ts";
import { type Clock, systemClock } from "../../../runtime/core/cron-clock.ts";
import { Analytics } from "../../kinds/analytics/data-points.ts";
import { LOCAL_TIMES } from "../../kinds/containers/rollouts/advance.ts";
import { Scheduler } from "../../kinds/containers/rollouts/scheduler.ts";
import { FakeEngine } from "../../kinds/containers/testing/fake-engine.ts";
import { createApi } from "../api.ts";
import type { Product } from "../products.ts";
import { FakeRuntime } from "./fake-runtime.ts";

export const account_id = "a".repeat(32);
export const zone_id = "b".repeat(32);
export const domain = "edge.localhost";
export const teamDomain = "edge.cloudflareaccess.localhost";
const apiToken = "the-token-of-the-tests";

export interface ApiServer {
  cloudflare: Cloudflare;
  /** A client with a wrong token. */
  stranger: Cloudflare;
  /** `http://127.0.0.1:PORT/client/v4` */
  url: string;
  apiToken: string;
  store: Store;
  runtime: FakeRuntime;
  containers: FakeEngine;
  gateways: GatewayState;
  analytics: Analytics;
  /** `METHOD path` of every successful request. */
  succeeded: Set<string>;
  logged: { event: string; fields: unknown }[];
  close(): Promise<void>;
}

/** Sees each exchange before the client gets the response, which it can replace. */
export type Witness = (request: Request, response: Response) => Promise<Response | undefined>;

export interface ApiServerOptions {
  /** Values that differ from Cloudflare's. Default: none. */
  limits?: LimitOverrides;
  /** Clock of the API, in milliseconds since the epoch. Default: the system clock. */
  now?: () => number;
  /** Products that the account has not enabled. Default: none. */
  withoutProducts?: readonly Product[];
  /** Injected faults. Default: none. */
  weather?: WeatherOptions;
  /** Clock of rollouts. Default: the system clock */
  clock?: Clock;
}

export async function startApiServer(
  witness?: Witness,
  { limits, weather: given, clock = systemClock, ...options }: ApiServerOptions = {},
): Promise<ApiServer> {
  const directory = await mkdtemp(join(tmpdir(), "local-api-"));
  const store = new Store(directory);
  const runtime = new FakeRuntime();
  const gateways = new GatewayState(directory);
  const analytics = new Analytics(directory);
  const succeeded = new Set<string>();
  const logged: ApiServer["logged"] = [];
  const log = (_area: string, event: string, fields: unknown = {}) => logged.push({ event, fields });
  const containers = new FakeEngine();
  const isPullable = (image: string) => runtime.canPull(image);
  const scheduler = new Scheduler({ store, engine: containers, clock, times: LOCAL_TIMES, isPullable, log });
  runtime.containerInstances = (id) => scheduler.instances({ id });
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use("*", async (c, next) => {
    const request = witness && c.req.raw.clone();
    await next();
    const other = request && (await witness?.(request, c.res.clone()));
    if (other !== undefined) c.res = other;
    if (c.res.ok) succeeded.add(`${c.req.method} ${new URL(c.req.url).pathname.replace("/client/v4", "")}`);
  });
  const registry = new ImageRegistry({});
  const { credentials: registryCredentials } = createRegistryServer({
    registry,
    secret: apiToken,
    accountId: account_id,
  });
  const api = { store, runtime, gatewayLogs: gateways.logs, analytics, accountId: account_id, zoneId: zone_id };
  const weather = given && createWeather(given, log);
  const api4 = { ...api, domain, teamDomain, apiToken, registryCredentials, log, weather, ...options };
  app.route("/client/v4", createApi({ ...api4, limits: new EdgeLimits(limits) }));
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const started = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () => resolve(started));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`;
  const client = (token: string) => new Cloudflare({ apiToken: token, baseURL: url, maxRetries: 0 });
  return {
    cloudflare: client(apiToken),
    stranger: client("another-token"),
    url,
    apiToken,
    store,
    runtime,
    containers,
    gateways,
    analytics,
    succeeded,
    logged,
    close: async () => {
      await new Promise((resolve) => server.close(resolve));
      scheduler.stop();
      store.close();
      gateways.close();
      analytics.close();
      await rm(directory, { recursive: true });
    },
  };
}

export function moduleFile(source: string, name = "index.js") {
  return toFile(Buffer.from(source), name, { type: "application/javascript+module" });
}

/** Uploads a small script of the account. */
export async function uploadScript(cloudflare: Cloudflare, name: string): Promise<void> {
  await cloudflare.workers.scripts.update(name, {
    account_id,
    metadata: { main_module: "index.js", compatibility_date: "2026-01-01" },
    files: [await moduleFile("export default {};")],
  });
}
