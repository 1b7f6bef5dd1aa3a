/** Tells how long the sandbox stays awake without traffic: for a shorter time when it woke for a job and nobody came since. */
import type { SandboxActivity } from "#workers/contracts/tenant/sandbox.ts";
import type { IdleWatch } from "./idle-watch.ts";
import type { NextJob } from "./next-job.ts";

export interface IdleTimeOptions {
  watch: IdleWatch;
  job: NextJob;
  /** Idle time before sleep, in milliseconds. */
  idleMs: number;
  /** Idle time before sleep after a job, in milliseconds. */
  afterJobMs: number;
}

export class IdleTime {
  readonly #o: IdleTimeOptions;

  constructor(options: IdleTimeOptions) {
    this.#o = options;
  }

  /** Idle time before sleep, in milliseconds. */
  get idleMs(): number {
    return this.#o.idleMs;
  }

  called(): Promise<void> {
    return this.#o.watch.called(Date.now());
  }

  /** Keeps the sandbox awake for another idle time. */
  putOff(): void {
    this.#o.watch.putOff(Date.now());
  }

  /** Idle time before sleep in the present case, in milliseconds. Forgets the job when somebody came. */
  async limitMs(activity: SandboxActivity): Promise<number> {
    const { job, idleMs, afterJobMs } = this.#o;
    if (!(await job.wokeForIt())) return idleMs;
    if (isUnused(activity)) return afterJobMs;
    await job.woken(false);
    return idleMs;
  }

  /** Milliseconds until sleep. Changes nothing. @param limitMs default: as {@link limitMs} */
  async remainingMs(activity: SandboxActivity, limitMs?: number): Promise<number> {
    const { watch, job, afterJobMs } = this.#o;
    const isAfterJob = limitMs === undefined && isUnused(activity) && (await job.wokeForIt());
    return watch.remainingMs(activity, Date.now(), isAfterJob ? afterJobMs : limitMs);
  }
}

/** Whether nobody came since the sandbox woke. */
const isUnused = ({ idleMs, uptimeMs }: SandboxActivity): boolean => idleMs >= uptimeMs;
