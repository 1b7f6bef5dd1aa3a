/** Wakes a sleeping sandbox for its gateway's next job. */
import type { RecordEvent } from "../event-log.ts";
import type { NextJob } from "./next-job.ts";
import type { WorkWatch } from "./work-watch.ts";

/** Maximum delay of the first check after a wake-up, in milliseconds. */
const CHECK_MS = 60_000;

export interface WakeUpGateway {
  /** Whether a start or a restart is in progress. */
  readonly isBusy: boolean;
  /** Starts the gateway, without waiting for it. */
  start(): void;
}

export interface WakeUpOptions {
  job: NextJob;
  work: Pick<WorkWatch, "wakeTimeFor" | "isMissed">;
  gateway: WakeUpGateway;
  /** Whether the tenant is frozen or stopped, so that its sandbox is not woken. */
  isHeld: () => Promise<boolean>;
  record: RecordEvent;
  /** Idle time before sleep, in milliseconds. */
  idleMs: number;
}

export class WakeUp {
  readonly #o: WakeUpOptions;

  constructor(options: WakeUpOptions) {
    this.#o = options;
  }

  /** Returns when the sandbox will be woken for a job, ISO 8601; `undefined` when it will not. */
  async timeFor(job: number | undefined): Promise<string | undefined> {
    if (job === undefined || (await this.#o.isHeld())) return undefined;
    return new Date(this.#o.work.wakeTimeFor(job)).toISOString();
  }

  /**
   * Wakes the sandbox when due.
   *
   * @returns `isWaking`: a start is in progress; `nextMs`: milliseconds to the next check, if one is needed
   */
  async check(): Promise<{ isWaking: boolean; nextMs: number | undefined }> {
    const { job: nextJob, work, gateway, record, idleMs } = this.#o;
    if (gateway.isBusy) return { isWaking: true, nextMs: idleMs };
    const job = await nextJob.at();
    if (job === undefined) return { isWaking: false, nextMs: undefined };
    const wait = work.wakeTimeFor(job) - Date.now();
    if (wait > 0) return { isWaking: false, nextMs: wait };
    const at = new Date(job).toISOString();
    if ((await this.#o.isHeld()) || work.isMissed(job, Date.now())) {
      record("sleep.job-missed", { job: at });
      await nextJob.set(undefined);
      return { isWaking: false, nextMs: undefined };
    }
    record("sleep.ended", { job: at });
    await nextJob.setWokeForJob(true);
    gateway.start();
    return { isWaking: true, nextMs: Math.min(CHECK_MS, idleMs) };
  }
}
