/** Postpones sleep while a start is in progress, or while sleep would interrupt the gateway's work. */
import type { RecordEvent } from "../event-log.ts";
import type { NextJob } from "./next-job.ts";
import type { WakeUpGateway } from "./wake-up.ts";
import type { Postponed, WorkWatch } from "./work-watch.ts";

/** Maximum interval between checks of a busy gateway, in milliseconds. */
const MAX_INTERVAL_MS = 60_000;

/** Reasons that an ordered sleep respects. */
const INTERRUPTED: ReadonlySet<Postponed["reason"]> = new Set(["busy", "job", "messages"]);

export interface PostponementOptions {
  work: Pick<WorkWatch, "check">;
  job: Pick<NextJob, "wokeForJob">;
  gateway: WakeUpGateway;
  /** Returns how many messages of the inbox wait for the gateway; 0 while the tenant is frozen or stopped. */
  pendingMessages: () => Promise<number>;
  /** Whether the tenant is frozen or stopped, so that its gateway's work does not count. */
  isHeld: () => Promise<boolean>;
  record: RecordEvent;
  /** Idle time before sleep, in milliseconds. */
  idleMs: number;
}

export class Postponement {
  readonly #o: PostponementOptions;
  #reason: Postponed | undefined;
  #nextCheckAt = 0;

  constructor(options: PostponementOptions) {
    this.#o = options;
  }

  /** Why sleep is postponed. */
  get reason(): Postponed | undefined {
    return this.#reason;
  }

  /** Call when the sandbox is in use, or sleeps. */
  clear(): void {
    this.#reason = undefined;
  }

  /** Returns the work that an ordered sleep would interrupt, or the job for which it would wake at once. Does not reject. */
  async interrupted(): Promise<Postponed | undefined> {
    if (await this.#o.isHeld()) return undefined;
    const postponed = (await this.#messages()) ?? (await this.#o.work.check(Date.now));
    return postponed !== undefined && INTERRUPTED.has(postponed.reason) ? postponed : undefined;
  }

  async #messages(): Promise<Postponed | undefined> {
    const messages = await this.#o.pendingMessages();
    return messages === 0 ? undefined : { reason: "messages", details: `${messages} wait in the inbox` };
  }

  /** @returns milliseconds to the next check; `undefined` when the sandbox may sleep */
  async check(): Promise<number | undefined> {
    const { work, job, gateway, isHeld, record, idleMs } = this.#o;
    if (gateway.isBusy) return idleMs;
    if (await isHeld()) return undefined;
    const wait = this.#nextCheckAt - Date.now();
    if (wait > 0) return wait;
    const postponed = (await this.#messages()) ?? (await work.check(Date.now));
    if (postponed === undefined) return undefined;
    const { reason, details } = postponed;
    if (reason !== this.#reason?.reason) record("sleep.postponed", { reason, details });
    this.#reason = postponed;
    // The gateway may have failed to start when the sandbox woke for the job.
    if (reason === "job" && (await job.wokeForJob())) gateway.start();
    const interval = Math.min(MAX_INTERVAL_MS, idleMs);
    this.#nextCheckAt = Date.now() + interval;
    return interval;
  }
}
