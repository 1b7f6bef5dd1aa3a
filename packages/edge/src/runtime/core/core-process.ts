import { mkdir } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { withTimeout } from "@tenantry/std/within";
import { dispatcherWorker } from "../../cloudflare/kinds/dispatch-namespaces/dispatcher.ts";
import { consumerOptions, longestWait } from "../../cloudflare/kinds/queues/consumer-options.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { containerScript } from "../../containers/names.ts";
import { SECRET_HEADER, subrequestHeaders } from "../../http/internal-headers.ts";
import type { Destination } from "../../http/relay.ts";
import { gateWorkers } from "../assets/gate.ts";
import { socketSecret } from "../cells/cell.ts";
import type { WorkerDefinition } from "../worker/definition.ts";
import { workerOptions } from "../worker/options.ts";
import { unavailableWorker } from "../worker/unavailable.ts";
import type { ProcessOptions } from "../workerd/process-options.ts";
import { startWorkerd, type Workerd } from "../workerd/workerd.ts";

/** How long requests may take in a process that ends before the next one starts. */
const DRAIN_MS = 5_000;
/**
 * How long requests and WebSockets may last in a process beside the next one: the grace period of the vendor's runtime updates
 * (developers.cloudflare.com/changelog/post/2026-10-12-longer-runtime-update-grace-period).
 */
const LINGER_MS = 20 * 60_000;
/** How long the delivery of a full batch may take beyond its wait. */
const DELIVERY_MS = 1_000;

/** Miniflare passes requests of an unknown host to the first Worker. */
const FALLBACK: WorkerDefinition = {
  name: "edge-fallback",
  modules: true,
  compatibilityDate: "2026-01-01",
  script: `export default { fetch: () => new Response("Not found", { status: 404 }) };`,
};

type Socket = { port: number; script: ScriptRecord };

interface CoreProcessParts {
  workerd: Workerd;
  secret: string;
  sockets: ReadonlyMap<string, Socket>;
  /** Why scripts of the group are missing, by name. */
  faults: ReadonlyMap<string, Error>;
  /** Longest wait of a queue's messages in milliseconds; 0 without queues. */
  batchWait: number;
}

/** A workerd with a group of the account's own scripts, as they were when it started. */
export class CoreProcess {
  readonly #o: CoreProcessParts;
  readonly #openRequests = new Set<Promise<void>>();
  readonly #webSockets = new Set<Promise<void>>();
  #takesRequests = true;

  private constructor(parts: CoreProcessParts) {
    this.#o = parts;
  }

  /**
   * @param faults why other scripts of the group are missing, by name. Requests to them fail with it
   * @throws Error with workerd's message when it refuses a script
   */
  static async start(
    scripts: ScriptRecord[],
    o: ProcessOptions,
    faults: ReadonlyMap<string, Error> = new Map(),
  ): Promise<CoreProcess> {
    await mkdir(o.directory, { recursive: true, mode: 0o700 });
    const secret = socketSecret();
    const neighbours = new Set(scripts.map((script) => script.name));
    const withContainers = scripts.filter(({ containers }) => containers.length > 0);
    await Promise.all(withContainers.map((script) => o.containers.ready(containerScript(script))));
    const workerd = await startWorkerd({
      scratch: o.scratch,
      log: o.log,
      label: "account scripts",
      options: {
        durableObjectsPersist: o.directory,
        workers: [
          FALLBACK,
          ...scripts.map((script) => ({
            ...workerOptions(script, { ...o, secret, neighbours }),
            ...consumerOptions(o.store, script),
          })),
          ...scripts.flatMap((script) => gateWorkers(script, { ...o, secret })),
          dispatcherWorker(o.hub),
          unavailableWorker(),
        ],
      },
    });
    const sockets = new Map<string, Socket>();
    for (const script of scripts) sockets.set(script.name, { port: await workerd.port(script.name), script });
    return new CoreProcess({ workerd, secret, sockets, faults, batchWait: longestWait(o.store, scripts) });
  }

  /**
   * Passes a request to a script.
   *
   * @param send gets the address of the socket and the headers that it requires
   * @throws Error when the script does not exist or does not start
   */
  async serve(script: string, send: (to: Destination) => Promise<void>, as: Omit<Destination, "port">): Promise<void> {
    const { port, script: record } = this.#findSocket(script);
    const { subrequests } = record.limits;
    const work = send({
      ...as,
      port,
      headers: {
        ...as.headers,
        ...subrequestHeaders({ subrequests, objectSubrequests: subrequests }),
        [SECRET_HEADER]: this.#o.secret,
      },
      onSocket: () => {
        this.#openRequests.delete(settled);
        this.#webSockets.add(settled);
      },
    });
    const settled = work.catch(() => {});
    this.#openRequests.add(settled);
    try {
      await work;
    } finally {
      this.#openRequests.delete(settled);
      this.#webSockets.delete(settled);
    }
  }

  /** Runs the `scheduled` handler of a script. @param at milliseconds since the epoch @returns workerd's outcome, such as `ok` */
  async scheduled(script: string, cron: string, at: number): Promise<string> {
    this.#findSocket(script);
    const worker = await this.#o.workerd.miniflare.getWorker(script);
    const { outcome } = await worker.scheduled({ cron, scheduledTime: new Date(at) });
    return outcome;
  }

  /**
   * Ends the process.
   *
   * @param after what it waits for: open requests for some seconds, or everything, which includes batches of messages and WebSockets
   * @param now ends the wait
   */
  async stop(after: "nothing" | "requests" | "everything", now?: AbortSignal): Promise<void> {
    if (after === "requests") await waitFor(DRAIN_MS, waitUntilEmpty(this.#openRequests), now);
    this.#takesRequests = false;
    if (after === "everything") await waitFor(LINGER_MS, this.#waitUntilFinished(), now);
    await this.#o.workerd.stop();
  }

  async #waitUntilFinished(): Promise<void> {
    await waitUntilEmpty(this.#openRequests);
    const { batchWait } = this.#o;
    if (batchWait > 0) await pause(batchWait + DELIVERY_MS, undefined, { ref: false });
    await waitUntilEmpty(this.#webSockets);
  }

  get takesRequests(): boolean {
    return this.#takesRequests;
  }

  #findSocket(script: string): Socket {
    const socket = this.#o.sockets.get(script);
    if (socket === undefined)
      throw this.#o.faults.get(script) ?? new Error(`Script ${script} not found in the account.`);
    return socket;
  }
}

/** Resolves when the set is empty. */
async function waitUntilEmpty(works: ReadonlySet<Promise<void>>): Promise<void> {
  while (works.size > 0) await Promise.all(works);
}

/** Waits for `work` until the timeout or the signal. */
async function waitFor(timeoutMs: number, work: Promise<unknown>, now?: AbortSignal): Promise<void> {
  if (now?.aborted) return;
  const ended = new Promise<void>((resolve) => now?.addEventListener("abort", () => resolve(), { once: true }));
  await withTimeout(timeoutMs, Promise.race([work, ended]));
}
