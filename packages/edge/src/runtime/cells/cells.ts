/** The cells of all namespaced scripts. A cell starts at the first request, ends when idle, and is replaced when its script changes. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { KeyedLock } from "@tenantry/std/keyed-lock";
import type { Change } from "../../account/store.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { ingredients } from "../../cloudflare/kinds.ts";
import type { Clock } from "../core/cron-clock.ts";
import { scriptFingerprint } from "../worker/fingerprint.ts";
import type { ProcessOptions } from "../workerd/process-options.ts";
import { type Cell, type Lease, type Purpose, UnknownScriptError } from "./cell.ts";
import { startCell } from "./cell-start.ts";
import { NoPlaceError, Places, type Want } from "./places.ts";
import { WakeUps } from "./wake-ups.ts";

export interface CellsOptions extends ProcessOptions {
  /** Has the Durable Objects of each script in `{namespace}/{script}`. */
  directory: string;
  /** Whether a container of a script runs. Its cell then stays, because the next cron event would start it again. */
  isAwake: (script: { namespace: string; name: string }) => boolean;
  /** Cells that may run at once. A request for one more waits until an idle cell has ended. */
  maxCells: number;
  /** Milliseconds without a request after which a cell ends. */
  idleMs: number;
  clock: Clock;
}

/** Ends the start of a cell that is no longer needed. */
class Abandoned extends Error {
  override name = "Abandoned";
}

interface Running {
  cell: Cell;
  /** The script as it is now. Changes that need no new process may follow the start of the cell. */
  script: ScriptRecord;
  stale: boolean;
  releasePlace: () => void;
}

interface Start {
  started: Promise<Running>;
  want: Want;
  /** Aborted when the cell is no longer needed. */
  abandoned: AbortController;
  hasPlace: boolean;
}

/** Cells that may wait for a place at once. */
const MAX_WAITING = 200;
const PLACE_TIMEOUT_MS = 30_000;
/** How long work of a call, such as a backup, may continue after its response while places are free. */
const LINGER_MS = 15_000;
/** The vendor's limit for an alarm. An alarm that is later is ignored. */
const ALARM_MS = 15 * 60_000;

const SWEEP_MS = 1_000;
const STOPPING = "The edge is stopping.";

export class Cells {
  readonly #o: CellsOptions;
  readonly #cells = new Map<string, Running>();
  readonly #starts = new Map<string, Start>();
  readonly #leases = new Map<string, number>();
  readonly #places: Places;
  readonly #wakeUps: WakeUps;
  readonly #turns = new KeyedLock();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #stopped = false;

  constructor(options: CellsOptions) {
    this.#o = options;
    const makeRoom = () => this.#endLeastUsed();
    this.#places = new Places({ count: options.maxCells, maxWaiting: MAX_WAITING, makeRoom });
    this.#timer = setInterval(() => this.#sweep(), Math.min(SWEEP_MS, options.idleMs));
    this.#timer.unref();
    this.#unsubscribe = options.store.onChange((change) => this.#onChange(change));
    const directory = (id: string) => this.#directory(id);
    this.#wakeUps = new WakeUps(directory, (id) => this.#wake(id));
    for (const { id, namespace } of options.store.list("script")) if (namespace !== undefined) this.#wakeUps.set(id);
  }

  /** Ids (`{namespace}/{script}`) of the running cells, least recently used first. */
  get running(): string[] {
    return [...this.#cells].sort(([, a], [, b]) => a.cell.lastUsed - b.cell.lastUsed).map(([id]) => id);
  }

  /**
   * Returns the cell of a script as it is now in the store. Starts it when a place is free.
   *
   * @param gone ends the wait
   * @returns `undefined` for background work of a script whose containers sleep, which does not wake them
   * @throws UnknownScriptError; NoPlaceError when no cell became idle in time; Error with workerd's message when it does not start
   */
  async lease(namespace: string, name: string, purpose: Purpose, gone?: AbortSignal): Promise<Lease | undefined> {
    const id = `${namespace}/${name}`;
    const script = this.#script(id);
    if (purpose === "background" && this.#isAsleep(script)) return undefined;
    this.#leases.set(id, (this.#leases.get(id) ?? 0) + 1);
    let isHeld = true;
    const release = () => {
      if (isHeld) this.#release(id);
      isHeld = false;
    };
    try {
      const running = this.#findCurrent(id) ?? (await this.#waitForStart(id, purpose, gone));
      if (purpose !== "background") running.cell.lastUsed = performance.now();
      return { cell: running.cell, script: running.script, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    this.#unsubscribe();
    this.#wakeUps.stop();
    for (const { abandoned } of this.#starts.values()) abandoned.abort(new Error(STOPPING));
    await this.#turns.settled();
    await Promise.all([...this.#cells.keys()].map((id) => this.#end(id, false)));
  }

  #release(id: string): void {
    const remaining = (this.#leases.get(id) ?? 1) - 1;
    if (remaining > 0) return void this.#leases.set(id, remaining);
    this.#leases.delete(id);
    const start = this.#starts.get(id);
    if (start !== undefined && !start.hasPlace) {
      // A later request begins another start.
      this.#starts.delete(id);
      start.abandoned.abort(new Abandoned());
    }
    this.#places.settle();
  }

  #isAsleep({ id, namespace, name, containers }: ScriptRecord): boolean {
    if (containers.length === 0 || namespace === undefined) return false;
    return !this.#cells.has(id) && !this.#starts.has(id) && !this.#o.isAwake({ namespace, name });
  }

  #findCurrent(id: string): Running | undefined {
    const running = this.#cells.get(id);
    return running === undefined || running.stale || running.cell.exceeded ? undefined : running;
  }

  async #waitForStart(id: string, purpose: Purpose, gone?: AbortSignal): Promise<Running> {
    const start = this.#starts.get(id) ?? this.#begin(id, purpose);
    if (purpose === "request") {
      start.want.urgent = true;
      this.#places.settle();
    }
    return new Promise((resolve, reject) => {
      const onTimeout = () => {
        if (!start.hasPlace) reject(new NoPlaceError(this.#o.maxCells));
      };
      const cancel = purpose === "alarm" ? () => {} : this.#o.clock.after(PLACE_TIMEOUT_MS, onTimeout);
      const left = () => reject(gone?.reason);
      gone?.addEventListener("abort", left, { once: true });
      start.started.then(resolve, reject).finally(() => {
        cancel();
        gone?.removeEventListener("abort", left);
      });
    });
  }

  #begin(id: string, purpose: Purpose): Start {
    const want = { urgent: purpose === "request", unbounded: purpose === "alarm" };
    const abandoned = new AbortController();
    const started = this.#runInTurn(id, async () => this.#findCurrent(id) ?? this.#replace(id, start));
    const start: Start = { started, want, abandoned, hasPlace: false };
    this.#starts.set(id, start);
    const settled = () => {
      if (this.#starts.get(id) === start) this.#starts.delete(id);
    };
    started.then(settled, settled);
    return start;
  }

  async #replace(id: string, start: Start): Promise<Running> {
    await this.#end(id, true);
    this.#script(id);
    if (this.#places.full) this.#o.log("runtime", "cell-waits", { script: id });
    const releasePlace = await this.#places.take(start.want, start.abandoned.signal);
    start.hasPlace = true;
    try {
      for (;;) {
        const script = this.#script(id);
        const cell = await this.#start(script);
        this.#wakeUps.clear(id);
        const running = { cell, script, stale: false, releasePlace };
        // The script may have changed while its cell started.
        this.#updateScript(id, running);
        if (!running.stale) {
          // It is the first to end until a request or an alarm uses it.
          cell.lastUsed = Number.NEGATIVE_INFINITY;
          this.#cells.set(id, running);
          return running;
        }
        await cell.stop(false);
      }
    } catch (error) {
      releasePlace();
      throw error;
    }
  }

  #updateScript(id: string, running: Running): void {
    const script = this.#o.store.get("script", id);
    if (script === undefined || scriptFingerprint(this.#o, script) !== running.cell.fingerprint) running.stale = true;
    else running.script = script;
  }

  #script(id: string): ScriptRecord {
    const script = this.#o.store.get("script", id);
    if (script?.namespace === undefined) throw new UnknownScriptError();
    return script;
  }

  async #start(script: ScriptRecord): Promise<Cell> {
    if (this.#stopped) throw new Error(STOPPING);
    const o = { ...this.#o, directory: this.#directory(script.id) };
    return startCell(script, o, (cell) => void this.#retire(script.id, cell, false));
  }

  #directory(id: string): string {
    return join(this.#o.directory, ...id.split("/").map(encodeURIComponent));
  }

  #isIdle(id: string, { cell, stale }: Running): boolean {
    return !stale && cell.idle && !this.#leases.has(id) && !this.#wakeUps.isDue(id, ALARM_MS);
  }

  /** Ends the idle cell that was used least recently, and one that was just called only when no other is idle. */
  #endLeastUsed(): Promise<void> | undefined {
    const now = performance.now();
    let lingering: [string, Running] | undefined;
    for (const id of this.running) {
      const running = this.#cells.get(id);
      if (running === undefined || !this.#isIdle(id, running)) continue;
      if (now - running.cell.lastCalled > LINGER_MS) return this.#endIdle(id, running);
      lingering ??= [id, running];
    }
    return lingering === undefined ? undefined : this.#endIdle(...lingering);
  }

  #endIdle(id: string, running: Running): Promise<void> {
    // No request may get it while its end waits for its turn.
    running.stale = true;
    return this.#retire(id, running.cell, false);
  }

  #wake(id: string): void {
    const [namespace = "", name = ""] = id.split("/");
    // The log has the failure, and the next request fails too.
    this.lease(namespace, name, "alarm").then(
      (lease) => lease?.release(),
      () => {},
    );
  }

  #sweep(): void {
    const now = performance.now();
    for (const [id, running] of this.#cells) {
      const [namespace = "", name = ""] = id.split("/");
      if (now - running.cell.lastUsed < this.#o.idleMs || this.#o.isAwake({ namespace, name })) continue;
      if (this.#isIdle(id, running)) void this.#endIdle(id, running);
    }
    // The end of an alarm has no event.
    this.#places.settle();
  }

  #onChange(change: Change): void {
    if (change.kind === "script" && change.operation === "delete" && change.id.includes("/")) {
      void this.#runInTurn(change.id, () => this.#remove(change.id));
      return;
    }
    if (!ingredients.namespaced.has(change.kind)) return;
    for (const [id, running] of this.#cells) {
      if (change.kind === "script" && change.id !== id) continue;
      this.#updateScript(id, running);
      if (running.stale) void this.#retire(id, running.cell, true);
    }
  }

  /** Removes the data of a deleted script, unless it was created again. */
  async #remove(id: string): Promise<void> {
    await this.#end(id, false);
    if (this.#o.store.get("script", id) !== undefined) return;
    this.#wakeUps.clear(id);
    const [namespace = "", name = ""] = id.split("/");
    await this.#o.containers.end({ namespace, name });
    rmSync(this.#directory(id), { recursive: true, force: true });
  }

  #retire(id: string, cell: Cell, drain: boolean): Promise<void> {
    return this.#runInTurn(id, async () => {
      if (this.#cells.get(id)?.cell === cell) await this.#end(id, drain);
    });
  }

  /** Two cells must not open the same objects, so call it before the next one starts. */
  async #end(id: string, drain: boolean): Promise<void> {
    const running = this.#cells.get(id);
    if (running === undefined) return;
    this.#cells.delete(id);
    if (drain) this.#o.weather?.reset(id);
    try {
      await running.cell.stop(drain);
      if (!this.#stopped) this.#wakeUps.set(id);
    } finally {
      running.releasePlace();
    }
  }

  async #runInTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#turns.run(id, work);
    } catch (error) {
      if (error instanceof Abandoned) this.#o.log("runtime", "cell-given-up", { script: id });
      else if (!(error instanceof UnknownScriptError || error instanceof NoPlaceError))
        this.#o.log("runtime", "cell-failed", { script: id, message: String(error) });
      throw error;
    }
  }
}
