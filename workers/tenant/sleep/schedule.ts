/**
 * Decides when the sandbox sleeps: when it was idle for the time of its plan, and its gateway has no work. The alarm that checks this outlives
 * the object.
 */
import type { SandboxActivity } from "#workers/contracts/tenant/sandbox.ts";
import type { SleepStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import type { SleepControl } from "./control.ts";
import type { IdleTime } from "./idle-time.ts";
import type { NextJob } from "./next-job.ts";
import type { Postponement } from "./postponement.ts";
import type { Sleeper } from "./sleeper.ts";
import type { WakeUp, WakeUpGateway } from "./wake-up.ts";

const LIST_TIMEOUT_MS = 10_000;
/** Delay of the next check after the activity could not be read, in milliseconds. */
const RETRY_MS = 60_000;

export interface SleepScheduleOptions {
  sandbox: Pick<SandboxPort, "listProcesses">;
  idle: IdleTime;
  sleeper: Sleeper;
  postponement: Postponement;
  job: NextJob;
  wakeUp: WakeUp;
  gateway: Pick<WakeUpGateway, "start">;
  /** Sets the object's alarm to ring within this many milliseconds. */
  ringWithin: (ms: number) => Promise<void>;
}

export class SleepSchedule implements SleepControl {
  readonly #o: SleepScheduleOptions;
  /** Whether this object has set the alarm. */
  #armed = false;

  constructor(options: SleepScheduleOptions) {
    this.#o = options;
  }

  async recordCall(): Promise<void> {
    this.#o.sleeper.keepAwake();
    await this.#o.idle.recordCall();
  }

  async recordAwake(): Promise<void> {
    if (this.#armed) return;
    this.#armed = true;
    await this.#o.ringWithin(this.#o.idle.idleMs);
  }

  async settle(keepAwake: boolean): Promise<void> {
    if (keepAwake) this.#o.sleeper.keepAwake();
    await this.#o.sleeper.settle();
  }

  async status(activity: SandboxActivity | undefined): Promise<SleepStatus> {
    const { idle, job: nextJob, postponement, wakeUp } = this.#o;
    const job = await nextJob.at();
    const status = {
      afterSeconds: idle.idleMs / 1_000,
      ...(job !== undefined && { nextJobAt: new Date(job).toISOString() }),
    };
    if (activity === undefined) {
      const wakesAt = await wakeUp.timeFor(job);
      return { ...status, ...(wakesAt !== undefined && { wakesAt }) };
    }
    const remaining = await idle.remainingMs(activity);
    const keptAwake = remaining > 0 ? undefined : postponement.reason;
    return { ...status, remainingSeconds: remaining / 1_000, ...(keptAwake && { keptAwake }) };
  }

  async check(observed?: { activity?: SandboxActivity | undefined }): Promise<number | undefined> {
    const { sandbox, idle, postponement } = this.#o;
    this.#armed = true;
    const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
    const known = observed ?? (await sandbox.listProcesses(signal).catch(() => undefined));
    if (known === undefined) return RETRY_MS;
    const { activity } = known;
    if (activity === undefined) return this.#checkAsleep();
    const limitMs = await idle.limitMs(activity);
    const remaining = await idle.remainingMs(activity, limitMs);
    if (remaining > 0) {
      postponement.clear();
      return remaining;
    }
    return (await postponement.check()) ?? (await this.#sleep(activity, limitMs));
  }

  async #sleep(activity: SandboxActivity, limitMs: number): Promise<number | undefined> {
    const { idle, sleeper, postponement, job: nextJob, wakeUp, gateway } = this.#o;
    // An activating call may have come while the gateway's work was checked.
    const remaining = await idle.remainingMs(activity, limitMs);
    if (remaining > 0) return remaining;
    const job = await nextJob.at();
    const isAhead = job !== undefined && job > Date.now();
    const outcome = await sleeper.sleep(limitMs, isAhead ? await wakeUp.timeFor(job) : undefined);
    if (outcome === "asleep") {
      postponement.clear();
      await nextJob.setWokeForJob(false);
      return this.#checkAsleep();
    }
    idle.postpone();
    if (outcome === "ended") gateway.start();
    return idle.idleMs;
  }

  async #checkAsleep(): Promise<number | undefined> {
    const { isWaking, nextMs } = await this.#o.wakeUp.check();
    if (!isWaking) this.#armed = false;
    return nextMs;
  }
}
