/** Postpones sleep while a start is under way, or sleep would cut off the gateway's work. */
import type { RecordEvent } from "../event-log.ts";
import type { NextJob } from "./next-job.ts";
import type { WakeUpGateway } from "./wake-up.ts";
import type { Postponed, WorkWatch } from "./work-watch.ts";

/** A gateway at work is asked again this much later at the latest, in milliseconds. */
const ASK_AGAIN_MS = 60_000;

export interface PostponementOptions {
  work: Pick<WorkWatch, "ask">;
  job: Pick<NextJob, "wokeForIt">;
  gateway: WakeUpGateway;
  /** Whether the tenant may not be reached, so that its gateway's work does not count. */
  isHeld: () => Promise<boolean>;
  record: RecordEvent;
  /** Idle time before sleep, in milliseconds. */
  idleMs: number;
}

export class Postponement {
  readonly #o: PostponementOptions;
  #reason: Postponed | undefined;
  #askAgainAt = 0;

  constructor(options: PostponementOptions) {
    this.#o = options;
  }

  /** Why sleep was last postponed. */
  get reason(): Postponed | undefined {
    return this.#reason;
  }

  /** The sandbox is not idle, or sleeps. */
  clear(): void {
    this.#reason = undefined;
  }

  /** @returns milliseconds to the next check; `undefined` when the sandbox may sleep */
  async check(): Promise<number | undefined> {
    const { work, job, gateway, isHeld, record, idleMs } = this.#o;
    if (gateway.isBusy) return idleMs;
    if (await isHeld()) return undefined;
    const wait = this.#askAgainAt - Date.now();
    if (wait > 0) return wait;
    const postponed = await work.ask(Date.now);
    if (postponed === undefined) return undefined;
    const { reason, details } = postponed;
    if (reason !== this.#reason?.reason) record("sleep.postponed", { reason, details });
    this.#reason = postponed;
    // The gateway may have failed to start when the sandbox woke for the job.
    if (reason === "job" && (await job.wokeForIt())) gateway.start();
    const again = Math.min(ASK_AGAIN_MS, idleMs);
    this.#askAgainAt = Date.now() + again;
    return again;
  }
}
