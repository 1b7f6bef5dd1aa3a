/** Wakes a sleeping sandbox for its gateway's next job. */
import type { RecordEvent } from "../event-log.ts";
import type { NextJob } from "./next-job.ts";
import type { WorkWatch } from "./work-watch.ts";

/** A sandbox that was woken is checked this much later at the latest, in milliseconds. */
const CHECK_MS = 60_000;

export interface WakeUpGateway {
  /** Whether a start or a restart is under way. */
  readonly isBusy: boolean;
  /** Starts the gateway, and does not wait for it. */
  start(): void;
}

export interface WakeUpOptions {
  job: NextJob;
  work: Pick<WorkWatch, "wakeFor" | "isMissed">;
  gateway: WakeUpGateway;
  /** Whether the tenant may not be reached, so that its sandbox is not woken. */
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

  /** When the next job is due, in milliseconds since the epoch. */
  job(): Promise<number | undefined> {
    return this.#o.job.at();
  }

  /** When the sandbox will be woken for a job, ISO 8601; `undefined` when it will not. */
  async timeFor(job: number | undefined): Promise<string | undefined> {
    if (job === undefined || (await this.#o.isHeld())) return undefined;
    return new Date(this.#o.work.wakeFor(job)).toISOString();
  }

  /** The sandbox fell asleep. */
  async asleep(): Promise<void> {
    await this.#o.job.woken(false);
  }

  /** Starts a gateway that was ended for a sleep that failed. */
  startGateway(): void {
    this.#o.gateway.start();
  }

  /**
   * Wakes the sandbox when it is time.
   *
   * @returns `isWaking` when a start is under way; `nextMs`: milliseconds to the next check, if one is needed
   */
  async check(): Promise<{ isWaking: boolean; nextMs: number | undefined }> {
    const { job: nextJob, work, gateway, record, idleMs } = this.#o;
    if (gateway.isBusy) return { isWaking: true, nextMs: idleMs };
    const job = await nextJob.at();
    if (job === undefined) return { isWaking: false, nextMs: undefined };
    const wait = work.wakeFor(job) - Date.now();
    if (wait > 0) return { isWaking: false, nextMs: wait };
    const at = new Date(job).toISOString();
    if ((await this.#o.isHeld()) || work.isMissed(job, Date.now())) {
      record("sleep.job-missed", { job: at });
      await nextJob.set(undefined);
      return { isWaking: false, nextMs: undefined };
    }
    record("sleep.ended", { job: at });
    await nextJob.woken(true);
    gateway.start();
    return { isWaking: true, nextMs: Math.min(CHECK_MS, idleMs) };
  }
}
