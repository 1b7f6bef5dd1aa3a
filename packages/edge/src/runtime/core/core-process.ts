/** One workerd with a group of the account's own scripts, as they were when it started. */
import { mkdir } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { within } from "@tenantry/std/within";
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

/** How long requests may take in a process that ends before the next one starts, in milliseconds. */
const DRAIN_MS = 5_000;
/**
 * How long requests and WebSockets may last in a process beside which the next one runs, in milliseconds: what the vendor's runtime updates
 * give them (developers.cloudflare.com/changelog/post/2026-10-12-longer-runtime-update-grace-period).
 */
const LINGER_MS = 20 * 60_000;
/** What the delivery of a full batch may take beyond its wait, in milliseconds. */
const DELIVERY_MS = 1_000;

/** Miniflare gives requests it knows no Worker for to the first one. */
const NOBODY: WorkerDefinition = {
  name: "tenantry-nobody",
  modules: true,
  compatibilityDate: "2026-01-01",
  script: `export default { fetch: () => new Response("Not found", { status: 404 }) };`,
};

export class CoreProcess {
  readonly #workerd: Workerd;
  readonly #secret: string;
  readonly #sockets: Map<string, { port: number; script: ScriptRecord }>;
  /** Why scripts that should be here are not. */
  readonly #faults: ReadonlyMap<string, Error>;
  /** Milliseconds the slowest queue lets a message wait; 0 without queues. */
  readonly #batchWait: number;
  readonly #underWay = new Set<Promise<void>>();
  readonly #webSockets = new Set<Promise<void>>();
  #takesRequests = true;

  private constructor(
    workerd: Workerd,
    secret: string,
    sockets: Map<string, { port: number; script: ScriptRecord }>,
    faults: ReadonlyMap<string, Error>,
    batchWait: number,
  ) {
    this.#workerd = workerd;
    this.#secret = secret;
    this.#sockets = sockets;
    this.#faults = faults;
    this.#batchWait = batchWait;
  }

  /**
   * @param faults by name, why other scripts are left out: the answer to whoever wants them
   * @throws Error with workerd's words when a script is refused
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
          NOBODY,
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
    const sockets = new Map<string, { port: number; script: ScriptRecord }>();
    for (const script of scripts) sockets.set(script.name, { port: await workerd.port(script.name), script });
    return new CoreProcess(workerd, secret, sockets, faults, longestWait(o.store, scripts));
  }

  /**
   * Passes one request to `script` by `send`, which gets the socket's address and headers that open it.
   * @throws Error when there is no such script, or it cannot start
   */
  async serve(script: string, send: (to: Destination) => Promise<void>, as: Omit<Destination, "port">): Promise<void> {
    const socket = this.#socket(script);
    const { subrequests } = socket.script.limits;
    const work = send({
      ...as,
      port: socket.port,
      headers: {
        ...as.headers,
        ...subrequestHeaders({ subrequests, objectSubrequests: subrequests }),
        [SECRET_HEADER]: this.#secret,
      },
      onSocket: () => {
        this.#underWay.delete(settled);
        this.#webSockets.add(settled);
      },
    });
    const settled = work.catch(() => {});
    this.#underWay.add(settled);
    try {
      await work;
    } finally {
      this.#underWay.delete(settled);
      this.#webSockets.delete(settled);
    }
  }

  /** Runs the `scheduled` handler of `script`. @param at milliseconds since the epoch @returns the runtime's outcome, `ok` if all went well */
  async scheduled(script: string, cron: string, at: number): Promise<string> {
    this.#socket(script);
    const worker = await this.#workerd.miniflare.getWorker(script);
    const { outcome } = await worker.scheduled({ cron, scheduledTime: new Date(at) });
    return outcome;
  }

  /**
   * Ends the process.
   * @param after what may finish first: `requests` for a few seconds, or `everything`: also messages of a batch, and WebSockets
   * @param now ends every wait
   */
  async stop(after: "nothing" | "requests" | "everything", now?: AbortSignal): Promise<void> {
    if (after === "requests") await waitFor(DRAIN_MS, emptied(this.#underWay), now);
    this.#takesRequests = false;
    if (after === "everything") await waitFor(LINGER_MS, this.#finished(), now);
    await this.#workerd.stop();
  }

  async #finished(): Promise<void> {
    await emptied(this.#underWay);
    if (this.#batchWait > 0) await pause(this.#batchWait + DELIVERY_MS, undefined, { ref: false });
    await emptied(this.#webSockets);
  }

  /** Whether the process still serves requests; false once it ends. */
  get takesRequests(): boolean {
    return this.#takesRequests;
  }

  #socket(script: string): { port: number; script: ScriptRecord } {
    const socket = this.#sockets.get(script);
    if (socket === undefined)
      throw this.#faults.get(script) ?? new Error(`There is no script ${script} in the account.`);
    return socket;
  }
}

/** Resolves when none of the set is left, those included that are added meanwhile. */
async function emptied(works: ReadonlySet<Promise<void>>): Promise<void> {
  while (works.size > 0) await Promise.all(works);
}

/** Waits for `work`, but no longer than so many milliseconds, nor beyond the signal. */
async function waitFor(mostMs: number, work: Promise<unknown>, now?: AbortSignal): Promise<void> {
  if (now?.aborted) return;
  const ended = new Promise<void>((resolve) => now?.addEventListener("abort", () => resolve(), { once: true }));
  await within(mostMs, Promise.race([work, ended]));
}
