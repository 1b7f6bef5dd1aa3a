/** The cells of all namespaced scripts: started at the first request, ended when idle, replaced when a script changes. */
import { rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ScriptRecord } from "../api/model.ts";
import type { Change, Store } from "../api/store.ts";
import type { ContainerEngine } from "../containers/engine.ts";
import type { Log } from "../log.ts";
import { Cell, socketSecret } from "./cell.ts";
import { DEFAULT_CPU_MS } from "./cpu-limit.ts";
import { dispatcherWorker } from "./dispatcher.ts";
import { scriptFingerprint } from "./fingerprint.ts";
import type { Storage } from "./storage.ts";
import { unavailableWorker } from "./unavailable.ts";
import { WakeUps } from "./wake-ups.ts";
import { workerOptions } from "./worker-options.ts";
import { type Scratch, startEngine } from "./workerd.ts";

export interface CellsOptions {
  store: Store;
  storage: Storage;
  containers: ContainerEngine;
  scratch: Scratch;
  /** Where each script's Durable Objects lie, in `{namespace}/{script}`. */
  directory: string;
  hub: string;
  frontPort: number;
  domain: string;
  /** Cells that may run at once; one more starts only when none of them is idle. */
  maxCells: number;
  /** Milliseconds without a request after which a cell ends. */
  idleMs: number;
  log: Log;
}

/** Thrown for a script that is not in the namespace, in the vendor's words. */
export class UnknownScriptError extends Error {
  override name = "UnknownScriptError";
  constructor() {
    super("Worker not found.");
  }
}

interface Running {
  cell: Cell;
  /** The script as it was last seen; what differs from the cell's start needs no new process. */
  script: ScriptRecord;
  stale: boolean;
}

const SWEEP_MS = 1_000;

export class Cells {
  readonly #o: CellsOptions;
  readonly #cells = new Map<string, Running>();
  readonly #wakeUps: WakeUps;
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #stopped = false;

  constructor(options: CellsOptions) {
    this.#o = options;
    this.#timer = setInterval(() => this.#sweep(), Math.min(SWEEP_MS, options.idleMs));
    this.#timer.unref();
    this.#unsubscribe = options.store.onChange((change) => this.#onChange(change));
    this.#wakeUps = new WakeUps(
      (id) => this.#directory(id),
      (id) => this.#wake(id),
    );
    for (const script of options.store.list("script")) {
      if (script.namespace !== undefined) this.#wakeUps.set(script.id);
    }
  }

  /** Ids (`{namespace}/{script}`) of the cells that run, least recently used first. */
  get running(): string[] {
    return [...this.#cells].sort(([, a], [, b]) => a.cell.lastUsed - b.cell.lastUsed).map(([id]) => id);
  }

  /**
   * The cell of a script as it is now in the store.
   * @throws UnknownScriptError when there is none; Error with workerd's words when it cannot start
   */
  async acquire(namespace: string, name: string): Promise<{ cell: Cell; script: ScriptRecord }> {
    const id = `${namespace}/${name}`;
    return this.#fresh(id) ?? this.#inTurn(id, async () => this.#fresh(id) ?? this.#replace(id));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#unsubscribe();
    this.#wakeUps.stop();
    await Promise.allSettled(this.#turns.values());
    await Promise.all([...this.#cells.keys()].map((id) => this.#end(id, false)));
  }

  #fresh(id: string): Running | undefined {
    const running = this.#cells.get(id);
    if (running === undefined || running.stale || running.cell.exceeded) return undefined;
    running.cell.lastUsed = performance.now();
    return running;
  }

  async #replace(id: string): Promise<Running> {
    await this.#end(id, true);
    for (;;) {
      const script = this.#script(id);
      await this.#makeRoom();
      const cell = await this.#start(script);
      this.#wakeUps.clear(id);
      const running = { cell, script, stale: false };
      this.#cells.set(id, running);
      // The script may have changed while its cell started.
      this.#compare(id, running);
      if (!running.stale) return running;
      await this.#end(id, false);
    }
  }

  #compare(id: string, running: Running): void {
    const script = this.#o.store.get("script", id);
    if (script === undefined || this.#fingerprint(script) !== running.cell.fingerprint) running.stale = true;
    else running.script = script;
  }

  #script(id: string): ScriptRecord {
    const script = this.#o.store.get("script", id);
    if (script?.namespace === undefined) throw new UnknownScriptError();
    return script;
  }

  #fingerprint(script: ScriptRecord): string {
    return scriptFingerprint(this.#o.store, script);
  }

  async #start(script: ScriptRecord): Promise<Cell> {
    if (this.#stopped) throw new Error("The local edge is stopping.");
    const { store, storage, containers, scratch, hub, frontPort, domain, log } = this.#o;
    const directory = this.#directory(script.id);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const secret = socketSecret();
    const fingerprint = this.#fingerprint(script);
    const neighbours: ReadonlySet<string> = new Set();
    const around = { store, storage, containers, hub, frontPort, domain, secret, neighbours };
    const worker = workerOptions(script, around);
    let cell: Cell | undefined;
    const engine = await startEngine({
      scratch,
      log,
      label: script.id,
      onCrash: () => {
        if (cell !== undefined) void this.#retire(script.id, cell, false);
      },
      options: {
        durableObjectsPersist: directory,
        workers: [worker, dispatcherWorker(hub), unavailableWorker()],
      },
    });
    const started: Cell = new Cell({
      fingerprint,
      engine,
      port: await engine.port(script.name),
      secret,
      cpuMs: script.limits.cpu_ms ?? DEFAULT_CPU_MS,
      onExceeded: () => {
        log("runtime", "cpu-limit", { script: script.id });
        void this.#retire(script.id, started, false);
      },
    });
    cell = started;
    log("runtime", "cell-started", { script: script.id, pid: engine.pid });
    return started;
  }

  #directory(id: string): string {
    return join(this.#o.directory, ...id.split("/").map(encodeURIComponent));
  }

  async #makeRoom(): Promise<void> {
    const idle = this.running.filter((id) => this.#cells.get(id)?.cell.idle === true);
    const surplus = Math.max(0, this.#cells.size + 1 - this.#o.maxCells);
    await Promise.all(idle.slice(0, surplus).map((id) => this.#end(id, false)));
  }

  #wake(id: string): void {
    const [namespace = "", name = ""] = id.split("/");
    // A failure is in the log, and the next request meets it again.
    this.acquire(namespace, name).catch(() => {});
  }

  #sweep(): void {
    const now = performance.now();
    let surplus = this.#cells.size - this.#o.maxCells;
    for (const id of this.running) {
      const cell = this.#cells.get(id)?.cell;
      if (cell === undefined || !cell.idle) continue;
      if (surplus <= 0 && now - cell.lastUsed < this.#o.idleMs) continue;
      surplus -= 1;
      void this.#retire(id, cell, false);
    }
  }

  #onChange(change: Change): void {
    if (change.kind === "script" && change.operation === "delete" && change.id.includes("/")) {
      void this.#inTurn(change.id, () => this.#remove(change.id));
      return;
    }
    if (change.kind !== "script" && change.kind !== "hyperdrive" && change.kind !== "container_application") return;
    for (const [id, running] of this.#cells) {
      if (change.kind === "script" && change.id !== id) continue;
      this.#compare(id, running);
      if (running.stale) void this.#retire(id, running.cell, true);
    }
  }

  /** A script's data goes with it, unless it was put again meanwhile. */
  async #remove(id: string): Promise<void> {
    await this.#end(id, false);
    if (this.#o.store.get("script", id) !== undefined) return;
    this.#wakeUps.clear(id);
    const [namespace = "", name = ""] = id.split("/");
    await this.#o.containers.end({ namespace, name });
    rmSync(this.#directory(id), { recursive: true, force: true });
  }

  #retire(id: string, cell: Cell, drain: boolean): Promise<void> {
    return this.#inTurn(id, async () => {
      if (this.#cells.get(id)?.cell === cell) await this.#end(id, drain);
    });
  }

  /** The next cell opens the same objects, so this one must be gone first. */
  async #end(id: string, drain: boolean): Promise<void> {
    const running = this.#cells.get(id);
    if (running === undefined) return;
    this.#cells.delete(id);
    await running.cell.stop(drain);
    if (!this.#stopped) this.#wakeUps.set(id);
  }

  async #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(id) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.then(
      () => {},
      (error: unknown) => {
        if (error instanceof UnknownScriptError) return;
        this.#o.log("runtime", "cell-failed", { script: id, message: String(error) });
      },
    );
    this.#turns.set(id, settled);
    try {
      return await mine;
    } finally {
      if (this.#turns.get(id) === settled) this.#turns.delete(id);
    }
  }
}
