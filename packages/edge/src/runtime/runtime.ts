/** Runs the account's Workers: what the store holds, started, fed and stopped. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import type { Log } from "@tenantry/std/log";
import type { Store } from "../account/store.ts";
import type { RuntimePort } from "../cloudflare/api/runtime-port.ts";
import { Analytics, type DataPoint } from "../cloudflare/kinds/analytics/data-points.ts";
import { originOf } from "../cloudflare/kinds/hyperdrive/binding.ts";
import { startPooler } from "../cloudflare/kinds/hyperdrive/pooler/pooler.ts";
import { kvPort } from "../cloudflare/kinds/kv/port.ts";
import { bucketPort } from "../cloudflare/kinds/r2/port.ts";
import type { ContainerEngine } from "../containers/engine.ts";
import { containerScript } from "../containers/names.ts";
import { lostAnswer, sendError, threwException, timedOut } from "../http/error-pages.ts";
import { EXCEPTION_HEADER } from "../http/internal-headers.ts";
import { type Destination, type Intercept, RelayError, relay, relayUpgrade, responseOn } from "../http/relay.ts";
import { Cells } from "./cells/cells.ts";
import { Core } from "./core/core.ts";
import { type Clock, CronClock, systemClock } from "./core/cron-clock.ts";
import { scriptGroups } from "./core/script-groups.ts";
import { startHub } from "./hub.ts";
import { Storage } from "./storage.ts";
import { createScratch, removeScratch } from "./workerd/workerd.ts";

/** What a Worker is to see of a request. */
export interface Arrival {
  url: string;
  headers: Record<string, string | string[]>;
  /** Whether a Worker sent it: another request may wait for its answer. */
  fromWorker: boolean;
}

export interface Runtime extends RuntimePort {
  /** Has a script of the account answer a request. Every failure becomes an error page; never throws. */
  serve(script: string, request: IncomingMessage, response: ServerResponse, as: Arrival): Promise<void>;
  /** The same for a request to upgrade. */
  upgrade(script: string, request: IncomingMessage, socket: Duplex, head: Buffer, as: Arrival): Promise<void>;
  /**
   * Runs the `scheduled` handler of a script of the account.
   * @param at milliseconds since the epoch
   * @returns the runtime's outcome: `ok`, or `exception` when the handler threw
   * @throws Error when there is no such script
   */
  scheduled(script: string, cron: string, at: number): Promise<string>;
  /** Analytics Engine data points of a dataset, oldest first. @param since milliseconds since the epoch, default all */
  dataPoints(dataset: string, since?: number): DataPoint[];
  /** What Workers wrote to Analytics Engine. */
  readonly analytics: Analytics;
  /** Ids (`{namespace}/{script}`) of the cells that run, least recently used first. */
  cells(): string[];
  /** Ends every process. */
  stop(): Promise<void>;
}

export interface RuntimeOptions {
  store: Store;
  /** Where key-value namespaces, buckets, Durable Objects and data points lie. */
  directory: string;
  /** The platform's domain, the zone of every script. */
  domain: string;
  /** The front's port, where everything Workers fetch goes. */
  port: number;
  containers: ContainerEngine;
  /** Cells that may run at once, some 60 MB each; default 40. Who needs one more waits for one that is idle. */
  maxCells?: number;
  /** Milliseconds without a request after which a cell ends; default 15 minutes. */
  cellIdleMs?: number;
  /** Default the system's. */
  clock?: Clock;
  log: Log;
}

const MAX_CELLS = 40;
const CELL_IDLE_MS = 15 * 60_000;

/** @throws Error when workerd cannot start */
export async function startRuntime(o: RuntimeOptions): Promise<Runtime> {
  const { store, log } = o;
  const clock = o.clock ?? systemClock;
  const analytics = new Analytics(o.directory);
  const scratch = createScratch(join(o.directory, "scratch"));
  const storage = await Storage.start({ directory: o.directory, scratch, log }).catch((error: unknown) => {
    analytics.close();
    removeScratch(scratch);
    throw error;
  });
  const hub = await startHub({ directory: scratch.directory, cells: () => cells, analytics, log });
  const { containers } = o;
  const pooler = await startPooler((id) => originOf(store, id));
  const around = {
    store,
    storage,
    containers,
    scratch,
    hub: hub.path,
    hyperdrive: pooler,
    frontPort: o.port,
    domain: o.domain,
    log,
  };
  const cells = new Cells({
    ...around,
    isAwake: (script) => containers.isAwake(script),
    directory: join(o.directory, "cells"),
    maxCells: o.maxCells ?? MAX_CELLS,
    idleMs: o.cellIdleMs ?? CELL_IDLE_MS,
    clock,
  });
  const directory = join(o.directory, "core");
  const groups = scriptGroups(store);
  const stateful = new Core({ ...around, directory, scripts: () => groups().stateful });
  const stateless = new Core({ ...around, directory, scripts: () => groups().stateless });
  const coreOf = (script: string) => (groups().stateful.some(({ name }) => name === script) ? stateful : stateless);
  const scheduled = async (script: string, cron: string, at: number) =>
    (await coreOf(script).acquire()).scheduled(script, cron, at);
  const unsubscribe = store.onChange(({ kind, id, operation }) => {
    if (kind !== "script" || operation !== "delete" || id.includes("/")) return;
    // The process of the account's scripts goes on with others, so the containers of this one do not end with it.
    void containers.end(containerScript({ name: id })).catch((error: unknown) => {
      log("runtime", "containers-not-ended", { script: id, message: String(error) });
    });
  });
  const cron = new CronClock({
    schedules: () => store.list("schedules"),
    fire: scheduled,
    clock,
    log,
  });

  async function pass(
    script: string,
    request: IncomingMessage,
    response: () => ServerResponse,
    { fromWorker, ...as }: Arrival,
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
      else sendError(request, response(), error.kind === "timeout" ? timedOut : lostAnswer);
    }
  }

  return {
    serve: (script, request, response, as) =>
      pass(
        script,
        request,
        () => response,
        as,
        (to, intercept) => relay(request, response, to, intercept),
      ),
    upgrade: (script, request, socket, head, as) =>
      pass(
        script,
        request,
        () => responseOn(request, socket),
        as,
        (to, intercept) => relayUpgrade(request, socket, head, to, intercept),
      ),
    scheduled,
    dataPoints: (dataset, since) => analytics.points(dataset, since),
    analytics,
    cells: () => cells.running,
    kv: (namespaceId) => kvPort(storage, namespaceId),
    bucket: (name) => bucketPort(storage, name),
    endContainers: (script) => containers.end(script),
    async stop() {
      unsubscribe();
      cron.stop();
      await Promise.all([stateful.stop(), stateless.stop(), cells.stop()]);
      await Promise.all([hub.stop(), pooler.stop()]);
      await storage.stop();
      analytics.close();
      removeScratch(scratch);
    },
  };
}
