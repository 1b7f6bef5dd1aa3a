/**
 * Decides when the sandbox sleeps: when it was idle for the time of its plan, and its gateway has no work. The alarm that checks this outlives
 * the object.
 */
import { stateError } from "#domain/errors/stated.ts";
import { workerErrors as errors } from "#domain/errors/tenants/worker.ts";
import type { SandboxActivity } from "#workers/contracts/tenant/sandbox.ts";
import type { SleepStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import type { OrderedSleep, SleepControl } from "./control.ts";
import type { IdleTime } from "./idle-time.ts";
import type { NextJob } from "./next-job.ts";
import type { Postponement } from "./postponement.ts";
import type { Sleeper, SleepOutcome } from "./sleeper.ts";
import type { WakeUp, WakeUpGateway } from "./wake-up.ts";
import type { WorkWatch } from "./work-watch.ts";

const LIST_TIMEOUT_MS = 10_000;
/** Delay of the next check after the activity could not be read, in milliseconds. */
const RETRY_MS = 60_000;

const REFUSALS = {
  kept: errors.sleep_cancelled,
  ended: errors.sleep_cancelled,
  refused: errors.sleep_state_not_backed_up,
  failed: errors.sleep_failed,
} as const;

export interface SleepScheduleOptions {
  sandbox: Pick<SandboxPort, "listProcesses">;
  idle: IdleTime;
  sleeper: Sleeper;
  postponement: Postponement;
  job: NextJob;
  work: Pick<WorkWatch, "jobToWakeAt">;
  sleepsWithChannels: boolean;
  wakeUp: WakeUp;
  gateway: WakeUpGateway;
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
    const { idle, job: nextJob, postponement, wakeUp, sleepsWithChannels } = this.#o;
    const job = await nextJob.at();
    const status = {
      afterSeconds: idle.idleMs / 1_000,
      withChannels: sleepsWithChannels,
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
    const { idle } = this.#o;
    // An activating call may have come while the gateway's work was checked.
    const remaining = await idle.remainingMs(activity, limitMs);
    if (remaining > 0) return remaining;
    if ((await this.#fallAsleep(limitMs)) === "asleep") return this.#checkAsleep();
    idle.postpone();
    return idle.idleMs;
  }

  async sleepNow(wakeAfterMs?: number): Promise<OrderedSleep> {
    const { sandbox, postponement, job, work, gateway, ringWithin } = this.#o;
    if (gateway.isBusy) return { refused: stateError(errors.sleep_cancelled) };
    const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
    const known = await sandbox.listProcesses(signal).catch(() => undefined);
    if (known === undefined) return { refused: stateError(errors.sleep_failed) };
    const isAwake = known.activity !== undefined;
    const interrupted = isAwake ? await postponement.interrupted() : undefined;
    if (interrupted !== undefined) {
      const { details } = interrupted;
      return { refused: stateError(errors.sleep_interrupts_work, { details }) };
    }
    const own = await job.at();
    if (wakeAfterMs !== undefined) {
      const ordered = work.jobToWakeAt(Date.now() + wakeAfterMs);
      await job.set(own !== undefined && own > Date.now() ? Math.min(own, ordered) : ordered);
    }
    const outcome = isAwake ? await this.#fallAsleep(0) : "asleep";
    if (outcome !== "asleep") {
      await job.set(own);
      return { refused: stateError(REFUSALS[outcome]) };
    }
    const next = await this.#checkAsleep();
    if (next !== undefined) await ringWithin(next);
    const wakesAt = await this.#wakeTime();
    return { asleep: true, ...(wakesAt !== undefined && { wakesAt }) };
  }

  /** Returns when the sandbox will be woken, ISO 8601. */
  async #wakeTime(): Promise<string | undefined> {
    const job = await this.#o.job.at();
    return job !== undefined && job > Date.now() ? this.#o.wakeUp.timeFor(job) : undefined;
  }

  async #fallAsleep(idleMs: number): Promise<SleepOutcome> {
    const { sleeper, postponement, job, gateway } = this.#o;
    const wakesAt = await this.#wakeTime();
    // A start would continue in a container that ends.
    if (gateway.isBusy) return "kept";
    const outcome = await sleeper.sleep(idleMs, wakesAt);
    if (outcome === "asleep") {
      postponement.clear();
      await job.setWokeForJob(false);
    }
    if (outcome === "ended" || outcome === "failed") gateway.start();
    return outcome;
  }

  async #checkAsleep(): Promise<number | undefined> {
    const { isWaking, nextMs } = await this.#o.wakeUp.check();
    if (!isWaking) this.#armed = false;
    return nextMs;
  }
}
