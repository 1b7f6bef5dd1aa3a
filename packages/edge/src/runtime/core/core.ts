/**
 * Keeps the process of a group of the account's own scripts up to date. It is replaced as a whole when one of them changes: a burst
 * of changes makes one new process, the next request waits for it, and requests under way finish in the old one.
 */
import { createHash } from "node:crypto";
import type { Change } from "../../account/store.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { ingredients } from "../../cloudflare/kinds.ts";
import { scriptFingerprint } from "../worker/fingerprint.ts";
import type { ProcessOptions } from "../workerd/process-options.ts";
import { CoreProcess } from "./core-process.ts";
import { findFaulty } from "./faulty-scripts.ts";
import { hasObjects } from "./script-groups.ts";

/** A burst of changes is over after this many milliseconds without one. */
const SETTLE_MS = 100;

export interface CoreOptions extends ProcessOptions {
  /** The group's scripts as they are now in the store. */
  scripts: () => ScriptRecord[];
}

export class Core {
  readonly #o: CoreOptions;
  readonly #unsubscribe: () => void;
  readonly #retiring = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  #process: CoreProcess | undefined;
  /** Finishes its requests before the next process starts. */
  #draining: CoreProcess | undefined;
  #fingerprint = "";
  #failure: Error | undefined;
  #dirty = true;
  #building: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: CoreOptions) {
    this.#o = options;
    this.#unsubscribe = options.store.onChange((change) => this.#onChange(change));
  }

  /**
   * The process with all scripts of the group as they are now in the store; one that cannot start fails when it is used.
   *
   * @param fromWorker whether a Worker asks. A request that the old process has to finish may wait for the answer, so the old process
   *   gives it until it has finished its requests
   * @throws Error when there are none, or none that can start
   */
  async acquire(fromWorker = false): Promise<CoreProcess> {
    const old = this.#draining ?? this.#process;
    if (fromWorker && old?.takesRequests) return old;
    while (this.#dirty || this.#building !== undefined) await this.#refresh();
    if (this.#process === undefined) throw this.#failure ?? new Error("There are no such scripts in the account.");
    return this.#process;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
    this.#ending.abort();
    await this.#building;
    await this.#process?.stop("nothing");
    this.#process = undefined;
    await Promise.all(this.#retiring);
  }

  #onChange(change: Change): void {
    const concerns = ingredients.account.has(change.kind) && !(change.kind === "script" && change.id.includes("/"));
    if (!concerns || this.#stopped) return;
    this.#dirty = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#refresh(), SETTLE_MS);
  }

  #refresh(): Promise<void> {
    clearTimeout(this.#timer);
    this.#building ??= this.#build().finally(() => {
      this.#building = undefined;
    });
    return this.#building;
  }

  async #build(): Promise<void> {
    if (this.#stopped) throw new Error("The local edge is stopping.");
    this.#dirty = false;
    const scripts = this.#o.scripts();
    const fingerprint = this.#fingerprintOf(scripts);
    if (fingerprint === this.#fingerprint) return;
    this.#fingerprint = fingerprint;
    this.#failure = undefined;
    // Two processes must not open the same objects; without any, the new one starts beside the old.
    const exclusive = scripts.some(hasObjects);
    if (exclusive) {
      this.#draining = this.#process;
      await this.#retire("requests");
      this.#draining = undefined;
    }
    const started = await this.#start(scripts);
    void this.#retire("everything");
    this.#process = started;
  }

  async #start(scripts: ScriptRecord[]): Promise<CoreProcess | undefined> {
    if (scripts.length === 0) return undefined;
    try {
      const started = await CoreProcess.start(scripts, this.#o).catch((error) => this.#startSound(scripts, error));
      this.#o.log("runtime", "core-started", { scripts: scripts.map((script) => script.name) });
      return started;
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      this.#o.log("runtime", "core-failed", { message: this.#failure.message });
      return undefined;
    }
  }

  /** Starts the scripts that can start, so that a faulty one takes no other down. @throws `error` when that is no way out */
  async #startSound(scripts: ScriptRecord[], error: unknown): Promise<CoreProcess> {
    const faults = scripts.length > 1 ? await findFaulty(scripts, this.#o) : new Map<string, Error>();
    const sound = scripts.filter((script) => !faults.has(script.name));
    if (faults.size === 0 || sound.length === 0) throw error;
    for (const [script, { message }] of faults) this.#o.log("runtime", "script-refused", { script, message });
    return CoreProcess.start(sound, this.#o, faults);
  }

  #retire(after: "requests" | "everything"): Promise<void> {
    const old = this.#process;
    this.#process = undefined;
    if (old === undefined) return Promise.resolve();
    const retired = old
      .stop(after, this.#ending.signal)
      .catch((error: unknown) => this.#o.log("runtime", "core-stop-failed", { message: String(error) }))
      .finally(() => this.#retiring.delete(retired));
    this.#retiring.add(retired);
    return retired;
  }

  #fingerprintOf(scripts: ScriptRecord[]): string {
    const { store } = this.#o;
    const parts = [
      scripts.map((script) => [script.name, script.limits, scriptFingerprint(store, script)]),
      store.list("queue_consumer"),
      store.list("queue").map((queue) => [queue.id, queue.queue_name]),
    ];
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  }
}
