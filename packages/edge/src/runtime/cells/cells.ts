/** The cells of all namespaced scripts: started at the first request, ended when idle, replaced when a script changes. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { KeyedLock } from "@tenantry/std/keyed-lock";
import type { Change } from "../../account/store.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { ingredients } from "../../cloudflare/kinds.ts";
import type { Clock } from "../core/cron-clock.ts";
import { scriptFingerprint } from "../worker/fingerprint.ts";
import type { ProcessOptions } from "../workerd/process-options.ts";
import type { Cell } from "./cell.ts";
import { startCell } from "./cell-start.ts";
import { type Errand, type Lease, UnknownScriptError } from "./lease.ts";
import { NoPlaceError, Places, type Want } from "./places.ts";
import { WakeUps } from "./wake-ups.ts";

export interface CellsOptions extends ProcessOptions {
  /** Each script's Durable Objects lie in `{namespace}/{script}` below it. */
  directory: string;
  /** Whether the sandbox of a namespaced script runs; its cell is then kept, for the next tick would start it again. */
  isAwake: (script: { namespace: string; name: string }) => boolean;
  /** Cells that may run at once. Who needs one more waits until one is idle, which then ends. */
  maxCells: number;
  /** Milliseconds without a request after which a cell ends. */
  idleMs: number;
  clock: Clock;
}

/** The end of a wait that nobody waits for any more. */
class Abandoned extends Error {
  override name = "Abandoned";
}

interface Running {
  cell: Cell;
  /** The script as it was last seen; what differs from the cell's start needs no new process. */
  script: ScriptRecord;
  stale: boolean;
  giveBack: () => void;
}

/** A cell that waits for its place or starts. */
interface Start {
  started: Promise<Running>;
  want: Want;
  /** Nobody wants it any more. */
  dropped: AbortController;
  hasPlace: boolean;
}

/** Scripts whose cells may wait for a place at one time. */
const MOST_WAITING = 200;
/** How long a request waits for a place, in milliseconds. */
const PATIENCE_MS = 30_000;
/** How long what a call began, such as a tick's backup, may go on after its answer, in milliseconds, if places allow. */
const LINGER_MS = 15_000;
/** How long the vendor lets an alarm run, in milliseconds; one that is later than that is given up. */
const ALARM_MS = 15 * 60_000;

const SWEEP_MS = 1_000;
const STOPPING = "The local edge is stopping.";

export class Cells {
  readonly #o: CellsOptions;
  readonly #cells = new Map<string, Running>();
  readonly #starts = new Map<string, Start>();
  /** How many hold or await a lease, by id. */
  readonly #leases = new Map<string, number>();
  readonly #places: Places;
  readonly #wakeUps: WakeUps;
  readonly #turns = new KeyedLock();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #stopped = false;

  constructor(options: CellsOptions) {
    this.#o = options;
    this.#places = new Places({
      count: options.maxCells,
      mostWaiting: MOST_WAITING,
      makeRoom: () => this.#endLeastUsed(),
    });
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
   * The cell of a script as it is now in the store, started when a place is free.
   *
   * @param gone ends the wait of who has left
   * @returns `undefined` for background work of a script whose sandbox sleeps: it is not woken for that
   * @throws UnknownScriptError when there is no such script; NoPlaceError when none of the cells became idle in time; Error with
   *   workerd's words when it cannot start
   */
  async lease(namespace: string, name: string, errand: Errand, gone?: AbortSignal): Promise<Lease | undefined> {
    const id = `${namespace}/${name}`;
    const script = this.#script(id);
    if (errand === "background" && this.#sleeps(script)) return undefined;
    this.#leases.set(id, (this.#leases.get(id) ?? 0) + 1);
    let isHeld = true;
    const release = () => {
      if (isHeld) this.#release(id);
      isHeld = false;
    };
    try {
      const running = this.#fresh(id) ?? (await this.#awaited(id, errand, gone));
      if (errand !== "background") running.cell.lastUsed = performance.now();
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
    for (const { dropped } of this.#starts.values()) dropped.abort(new Error(STOPPING));
    await this.#turns.settled();
    await Promise.all([...this.#cells.keys()].map((id) => this.#end(id, false)));
  }

  #release(id: string): void {
    const left = (this.#leases.get(id) ?? 1) - 1;
    if (left > 0) {
      this.#leases.set(id, left);
      return;
    }
    this.#leases.delete(id);
    const start = this.#starts.get(id);
    if (start !== undefined && !start.hasPlace) {
      // Who comes now begins another, behind this one.
      this.#starts.delete(id);
      start.dropped.abort(new Abandoned());
    }
    this.#places.settle();
  }

  #sleeps({ id, namespace, name, containers }: ScriptRecord): boolean {
    if (containers.length === 0 || namespace === undefined) return false;
    return !this.#cells.has(id) && !this.#starts.has(id) && !this.#o.isAwake({ namespace, name });
  }

  #fresh(id: string): Running | undefined {
    const running = this.#cells.get(id);
    return running === undefined || running.stale || running.cell.exceeded ? undefined : running;
  }

  /** Joins the start that is under way, or begins one; whoever has waited too long for a place leaves it. */
  async #awaited(id: string, errand: Errand, gone?: AbortSignal): Promise<Running> {
    const start = this.#starts.get(id) ?? this.#begin(id, errand);
    if (errand === "request") {
      start.want.urgent = true;
      this.#places.settle();
    }
    return new Promise((resolve, reject) => {
      const impatient = () => {
        if (!start.hasPlace) reject(new NoPlaceError(this.#o.maxCells));
      };
      const cancel = errand === "alarm" ? () => {} : this.#o.clock.after(PATIENCE_MS, impatient);
      const left = () => reject(gone?.reason);
      gone?.addEventListener("abort", left, { once: true });
      start.started.then(resolve, reject).finally(() => {
        cancel();
        gone?.removeEventListener("abort", left);
      });
    });
  }

  #begin(id: string, errand: Errand): Start {
    const want = { urgent: errand === "request", unbounded: errand === "alarm" };
    const dropped = new AbortController();
    const started = this.#inTurn(id, async () => this.#fresh(id) ?? this.#replace(id, start));
    const start: Start = { started, want, dropped, hasPlace: false };
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
    const giveBack = await this.#places.take(start.want, start.dropped.signal);
    start.hasPlace = true;
    try {
      for (;;) {
        const script = this.#script(id);
        const cell = await this.#start(script);
        this.#wakeUps.clear(id);
        const running = { cell, script, stale: false, giveBack };
        // The script may have changed while its cell started.
        this.#compare(id, running);
        if (!running.stale) {
          // Until a request or an alarm uses it, any other is kept before it.
          cell.lastUsed = Number.NEGATIVE_INFINITY;
          this.#cells.set(id, running);
          return running;
        }
        await cell.stop(false);
      }
    } catch (error) {
      giveBack();
      throw error;
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

  /** Ends the idle cell that was used least recently; one that was just called only when there is no other. */
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
    // From now on nobody gets it, though its end has to wait for its turn.
    running.stale = true;
    return this.#retire(id, running.cell, false);
  }

  #wake(id: string): void {
    const [namespace = "", name = ""] = id.split("/");
    // A failure is in the log, and the next request meets it again.
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
    // Of the end of an alarm nobody tells.
    this.#places.settle();
  }

  #onChange(change: Change): void {
    if (change.kind === "script" && change.operation === "delete" && change.id.includes("/")) {
      void this.#inTurn(change.id, () => this.#remove(change.id));
      return;
    }
    if (!ingredients.namespaced.has(change.kind)) return;
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
    try {
      await running.cell.stop(drain);
      if (!this.#stopped) this.#wakeUps.set(id);
    } finally {
      running.giveBack();
    }
  }

  async #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
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
