import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import type { Log } from "@tenantry/std/log";
import type { Store } from "../account/store.ts";
import type { RuntimePort } from "../cloudflare/api/runtime-port.ts";
import { Analytics, type DataPoint } from "../cloudflare/kinds/analytics/data-points.ts";
import { LOCAL_TIMES, type RolloutTimes, VENDOR_TIMES } from "../cloudflare/kinds/containers/rollouts/advance.ts";
import { Scheduler } from "../cloudflare/kinds/containers/rollouts/scheduler.ts";
import { originOf } from "../cloudflare/kinds/hyperdrive/binding.ts";
import { checkOrigin } from "../cloudflare/kinds/hyperdrive/origin-check.ts";
import { startPooler } from "../cloudflare/kinds/hyperdrive/pooler/pooler.ts";
import { kvPort } from "../cloudflare/kinds/kv/port.ts";
import { bucketPort } from "../cloudflare/kinds/r2/port.ts";
import type { ContainerEngine } from "../containers/engine.ts";
import { containerScript } from "../containers/names.ts";
import { lostResponse, sendError, threwException, timedOut } from "../http/error-pages.ts";
import { EXCEPTION_HEADER } from "../http/internal-headers.ts";
import { type Destination, type Intercept, RelayError, relayRequest, relayUpgrade, responseOn } from "../http/relay.ts";
import { EdgeLimits } from "../limits/edge-limits.ts";
import { arrivalOf } from "../weather/analytics-weather.ts";
import { startKvWeather } from "../weather/kv-weather.ts";
import type { Weather } from "../weather/weather.ts";
import { createWorkerWeather } from "../weather/worker-weather.ts";
import { Cells } from "./cells/cells.ts";
import { Core } from "./core/core.ts";
import { type Clock, CronClock, systemClock } from "./core/cron-clock.ts";
import { scriptGroups } from "./core/script-groups.ts";
import { startHub } from "./hub.ts";
import { Storage } from "./storage.ts";
import { createScratch, removeScratch } from "./workerd/workerd.ts";

export interface IncomingCall {
  url: string;
  headers: Record<string, string | string[]>;
  /** Whether a Worker sent it. Another request may then wait for its response. */
  fromWorker: boolean;
}

export interface Runtime extends RuntimePort {
  /** Passes a request to a script of the account. Sends an error page on failure; never throws. */
  serve(script: string, request: IncomingMessage, response: ServerResponse, as: IncomingCall): Promise<void>;
  upgrade(script: string, request: IncomingMessage, socket: Duplex, head: Buffer, as: IncomingCall): Promise<void>;
  /**
   * Runs the `scheduled` handler of a script of the account.
   * @param at milliseconds since the epoch
   * @returns workerd's outcome: `ok`, or `exception` when the handler threw
   * @throws Error when the script does not exist
   */
  scheduled(script: string, cron: string, at: number): Promise<string>;
  /** Returns data points of Analytics Engine, oldest first. @param since milliseconds since the epoch. Default: all */
  dataPoints(dataset: string, since?: number): DataPoint[];
  readonly analytics: Analytics;
  /** Returns ids (`{namespace}/{script}`) of running cells, least recently used first. */
  cells(): string[];
  stop(): Promise<void>;
}

export interface RuntimeOptions {
  store: Store;
  /** Folder of key-value namespaces, buckets, Durable Objects and data points. */
  directory: string;
  domain: string;
  /** Port of the front, which receives everything that Workers fetch. */
  port: number;
  containers: ContainerEngine;
  /** Cells that may run at once, about 60 MB each. Default: 40. A request for one more waits for an idle one. */
  maxCells?: number;
  /** Milliseconds without a request after which a cell ends. Default: 15 minutes. */
  cellIdleMs?: number;
  /** Default: the system clock. */
  clock?: Clock;
  /** Default: Cloudflare's. */
  limits?: EdgeLimits;
  /** Default: no faults. */
  weather?: Weather | undefined;
  /** Whether containers can start with an image. Default: with any. */
  canPull?: (image: string) => boolean;
  log: Log;
}

const MAX_CELLS = 40;
const CELL_IDLE_MS = 15 * 60_000;

const scaled = ({ prepareMs, holdMs, drainMs }: RolloutTimes, { duration }: Weather): RolloutTimes => ({
  prepareMs: duration(prepareMs),
  holdMs: duration(holdMs),
  drainMs: duration(drainMs),
});

/** @throws Error when workerd does not start */
export async function startRuntime(o: RuntimeOptions): Promise<Runtime> {
  const { store, limits = new EdgeLimits(), log } = o;
  const clock = o.clock ?? systemClock;
  const { weather: faults } = o;
  const arrives = faults && ((dataset: string, index: string) => arrivalOf(faults, dataset, index));
  const analytics = new Analytics(o.directory, { arrivalOf: arrives, ...(faults && { now: () => faults.now() }) });
  const scratch = createScratch(join(o.directory, "scratch"));
  const storage = await Storage.start({ directory: o.directory, scratch, limits, log }).catch((error: unknown) => {
    analytics.close();
    removeScratch(scratch);
    throw error;
  });
  const kvWeather = o.weather && (await startKvWeather(storage, o.weather));
  const weather = o.weather && createWorkerWeather(o.weather);
  const hub = await startHub({ directory: scratch.directory, cells: () => cells, analytics, limits, weather, log });
  const { containers, domain, port: frontPort } = o;
  const hyperdrive = await startPooler((id) => originOf(store, id), o.weather);
  const bound = { store, storage: kvWeather ?? storage, containers, scratch, hub: hub.path, hyperdrive };
  const around = { ...bound, frontPort, domain, limits, weather, log };
  const cells = new Cells({
    ...around,
    isAwake: (script) => containers.isAwake(script),
    directory: join(o.directory, "cells"),
    maxCells: o.maxCells ?? MAX_CELLS,
    idleMs: o.cellIdleMs ?? CELL_IDLE_MS,
    clock,
  });
  const directory = join(o.directory, "core");
  const { canPull = () => true } = o;
  const times = o.weather === undefined ? LOCAL_TIMES : scaled(VENDOR_TIMES, o.weather);
  const scheduler = new Scheduler({ store, engine: containers, clock, times, isPullable: canPull, log });
  const groups = scriptGroups(store);
  const stateful = new Core({ ...around, directory, scripts: () => groups().stateful });
  const stateless = new Core({ ...around, directory, scripts: () => groups().stateless });
  const coreOf = (script: string) => (groups().stateful.some(({ name }) => name === script) ? stateful : stateless);
  const scheduled = async (script: string, cron: string, at: number) =>
    (await coreOf(script).acquire()).scheduled(script, cron, at);
  const unsubscribe = store.onChange(({ kind, id, operation }) => {
    if (kind !== "script" || operation !== "delete" || id.includes("/")) return;
    // The process of the account's scripts continues with others, so it does not end the containers of this one.
    void containers.end(containerScript({ name: id })).catch((error: unknown) => {
      log("runtime", "containers-not-ended", { script: id, message: String(error) });
    });
  });
  const cron = new CronClock({ schedules: () => store.list("schedules"), fire: scheduled, clock, log });

  async function forward(
    script: string,
    request: IncomingMessage,
    response: () => ServerResponse,
    { fromWorker, ...as }: IncomingCall,
    send: (to: Destination, intercept: Intercept) => Promise<void>,
  ): Promise<void> {
    const intercept: Intercept = (answer) => {
      if (answer.headers[EXCEPTION_HEADER] === undefined) return false;
      sendError(request, response(), threwException);
      return true;
    };
    try {
      await (await coreOf(script).acquire(fromWorker)).serve(script, (to) => send(to, intercept), as);
    } catch (error) {
      log("runtime", "request-failed", { script, message: String(error) });
      if (!(error instanceof RelayError)) sendError(request, response(), { ...threwException, detail: String(error) });
      else sendError(request, response(), error.kind === "timeout" ? timedOut : lostResponse);
    }
  }

  return {
    serve: (script, request, response, as) =>
      forward(
        script,
        request,
        () => response,
        as,
        (...to) => relayRequest(request, response, ...to),
      ),
    upgrade: (script, request, socket, head, as) => {
      const response = () => responseOn(request, socket);
      return forward(script, request, response, as, (...to) => relayUpgrade(request, socket, head, ...to));
    },
    scheduled,
    dataPoints: (dataset, since) => analytics.points(dataset, since),
    analytics,
    cells: () => cells.running,
    kv: (namespaceId) => kvPort(storage, namespaceId),
    checkOrigin,
    bucket: (name) => bucketPort(storage, name),
    containerInstances: (id) => scheduler.instances({ id }),
    canPull,
    endContainers: (script) => containers.end(script),
    async stop() {
      unsubscribe();
      scheduler.stop();
      cron.stop();
      await Promise.all([stateful.stop(), stateless.stop(), cells.stop()]);
      await Promise.all([hub.stop(), hyperdrive.stop(), kvWeather?.stop()]);
      await storage.stop();
      analytics.close();
      removeScratch(scratch);
    },
  };
}
