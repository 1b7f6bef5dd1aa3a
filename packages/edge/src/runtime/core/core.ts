import { createHash } from "node:crypto";
import type { Change } from "../../account/store.ts";
import type { ScriptRecord } from "../../cloudflare/kinds/scripts/record.ts";
import { ingredients } from "../../cloudflare/kinds.ts";
import { scriptFingerprint } from "../worker/fingerprint.ts";
import type { ProcessOptions } from "../workerd/process-options.ts";
import { CoreProcess } from "./core-process.ts";
import { findFaulty } from "./faulty-scripts.ts";
import { hasObjects } from "./script-groups.ts";

/** A burst of changes ends after this time without a change. */
const SETTLE_MS = 100;

interface CoreOptions extends ProcessOptions {
  scripts: () => ScriptRecord[];
}

/**
 * Keeps the process of a group of the account's own scripts up to date. A change of one script replaces the whole process: a burst of changes
 * starts one new process, the next request waits for it, and open requests finish in the old one.
 */
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
   * Returns the process with all scripts of the group as they are now in the store. A script that does not start fails when it is used.
   *
   * @param fromWorker whether a Worker sends the request. An open request of the old process may wait for its response, so the old process
   *   serves it while it drains
   * @throws Error when the group has no script, or none that starts
   */
  async acquire(fromWorker = false): Promise<CoreProcess> {
    const old = this.#draining ?? this.#process;
    if (fromWorker && old?.takesRequests) return old;
    while (this.#dirty || this.#building !== undefined) await this.#refresh();
    if (this.#process === undefined) throw this.#failure ?? new Error("The account has no such scripts.");
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
    const isNamespaced = change.kind === "script" && change.id.includes("/");
    if (this.#stopped || isNamespaced || !ingredients.account.has(change.kind)) return;
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
    if (this.#stopped) throw new Error("The edge is stopping.");
    this.#dirty = false;
    const scripts = this.#o.scripts();
    const fingerprint = this.#fingerprintOf(scripts);
    if (fingerprint === this.#fingerprint) return;
    this.#fingerprint = fingerprint;
    this.#failure = undefined;
    // Two processes must not open the same objects. Without objects the new one starts beside the old.
    if (scripts.some(hasObjects)) {
      this.#draining = this.#process;
      for (const { id } of scripts) this.#o.weather?.reset(id);
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
      const started = await CoreProcess.start(scripts, this.#o).catch((error) =>
        this.#startWithoutFaulty(scripts, error),
      );
      this.#o.log("runtime", "core-started", { scripts: scripts.map((script) => script.name) });
      return started;
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      this.#o.log("runtime", "core-failed", { message: this.#failure.message });
      return undefined;
    }
  }

  /** Starts the scripts that start on their own. @throws `error` when none is faulty or all are */
  async #startWithoutFaulty(scripts: ScriptRecord[], error: unknown): Promise<CoreProcess> {
    const faults = scripts.length > 1 ? await findFaulty(scripts, this.#o) : new Map<string, Error>();
    const startable = scripts.filter((script) => !faults.has(script.name));
    if (faults.size === 0 || startable.length === 0) throw error;
    for (const [script, { message }] of faults) this.#o.log("runtime", "script-refused", { script, message });
    return CoreProcess.start(startable, this.#o, faults);
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
      scripts.map((script) => [script.name, script.limits, scriptFingerprint(this.#o, script)]),
      store.list("queue_consumer"),
      store.list("queue").map((queue) => [queue.id, queue.queue_name]),
    ];
    return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  }
}
