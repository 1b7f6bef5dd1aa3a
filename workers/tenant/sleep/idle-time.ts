/** Measures how long the sandbox has been without traffic and activating calls, against the limit of its plan. */
import type { SandboxActivity } from "#workers/contracts/tenant/sandbox.ts";
import type { NextJob, SleepStorage } from "./next-job.ts";

const KEY = "last-activating-call";
/** Maximum interval between writes of the last call, in milliseconds. */
const MAX_GRAIN_MS = 60_000;

export interface IdleTimeOptions {
  storage: SleepStorage;
  job: NextJob;
  /** Idle time before sleep, in milliseconds. */
  idleMs: number;
  /** Idle time before sleep when the sandbox woke for a job and nobody used it since, in milliseconds. */
  afterJobMs: number;
}

export class IdleTime {
  readonly #o: IdleTimeOptions;
  readonly #grainMs: number;
  #lastCall: number | undefined;
  #writtenAt = 0;
  #notBefore = 0;

  constructor(options: IdleTimeOptions) {
    this.#o = options;
    this.#grainMs = Math.min(MAX_GRAIN_MS, options.idleMs / 4);
  }

  /** Idle time before sleep, in milliseconds. */
  get idleMs(): number {
    return this.#o.idleMs;
  }

  /** Records an activating call. */
  async recordCall(): Promise<void> {
    const now = Date.now();
    this.#lastCall = now;
    if (now - this.#writtenAt < this.#grainMs) return;
    this.#writtenAt = now;
    await this.#o.storage.put(KEY, now);
  }

  /** Keeps the sandbox awake for another idle time. */
  postpone(): void {
    this.#notBefore = Date.now() + this.#o.idleMs;
  }

  /** Returns the idle time before sleep that applies now, in milliseconds. Forgets the job when the sandbox was used since. */
  async limitMs(activity: SandboxActivity): Promise<number> {
    const { job, idleMs, afterJobMs } = this.#o;
    if (!(await job.wokeForJob())) return idleMs;
    if (isUnused(activity)) return afterJobMs;
    await job.setWokeForJob(false);
    return idleMs;
  }

  /** Returns the milliseconds until sleep. Changes nothing. @param limitMs default: as {@link limitMs} */
  async remainingMs(activity: SandboxActivity, limitMs?: number): Promise<number> {
    const { storage, job, idleMs, afterJobMs } = this.#o;
    const isAfterJob = limitMs === undefined && isUnused(activity) && (await job.wokeForJob());
    const limit = isAfterJob ? afterJobMs : (limitMs ?? idleMs);
    if (this.#lastCall === undefined) {
      const written = await storage.get<number>(KEY);
      // Later calls may not have been written.
      this.#lastCall ??= written === undefined ? 0 : written + this.#grainMs;
    }
    const now = Date.now();
    return Math.max(0, limit - activity.idleMs, this.#lastCall + idleMs - now, this.#notBefore - now);
  }
}

/** Whether nobody used the sandbox since it woke. */
const isUnused = ({ idleMs, uptimeMs }: SandboxActivity): boolean => idleMs >= uptimeMs;
