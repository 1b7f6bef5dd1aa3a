/**
 * Decides when the sandbox sleeps: when it was idle for the time of its plan and its gateway has no work of its own. The alarm that checks
 * this outlives the object.
 */
import type { SandboxActivity } from "#workers/contracts/tenant/sandbox.ts";
import type { SleepStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import type { SleepControl } from "./control.ts";
import type { IdleTime } from "./idle-time.ts";
import type { Postponement } from "./postponement.ts";
import type { Sleeper } from "./sleeper.ts";
import type { WakeUp } from "./wake-up.ts";

const LIST_TIMEOUT_MS = 10_000;
/** After a failed lookup of the activity the next check is made this much later, in milliseconds. */
const RETRY_MS = 60_000;

export interface SleepScheduleOptions {
  sandbox: Pick<SandboxPort, "listProcesses">;
  idle: IdleTime;
  sleeper: Sleeper;
  postponement: Postponement;
  wakeUp: WakeUp;
  /** Sets the object's alarm to ring after this many milliseconds at the latest. */
  ringWithin: (ms: number) => Promise<void>;
}

export class SleepSchedule implements SleepControl {
  readonly #o: SleepScheduleOptions;
  /** Whether this object has set the alarm. */
  #armed = false;

  constructor(options: SleepScheduleOptions) {
    this.#o = options;
  }

  async called(): Promise<void> {
    this.#o.sleeper.want();
    await this.#o.idle.called();
  }

  async awake(): Promise<void> {
    if (this.#armed) return;
    this.#armed = true;
    await this.#o.ringWithin(this.#o.idle.idleMs);
  }

  async settled(wanted: boolean): Promise<void> {
    if (wanted) this.#o.sleeper.want();
    await this.#o.sleeper.settled();
  }

  async status(activity: SandboxActivity | undefined): Promise<SleepStatus> {
    const { idle, postponement, wakeUp } = this.#o;
    const job = await wakeUp.job();
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
    const { idle, postponement } = this.#o;
    this.#armed = true;
    const known = observed ?? (await this.#list());
    if (known === undefined) return RETRY_MS;
    const { activity } = known;
    if (activity === undefined) return this.#asleep();
    const limitMs = await idle.limitMs(activity);
    const remaining = await idle.remainingMs(activity, limitMs);
    if (remaining > 0) {
      postponement.clear();
      return remaining;
    }
    return (await postponement.check()) ?? (await this.#sleep(activity, limitMs));
  }

  async #sleep(activity: SandboxActivity, limitMs: number): Promise<number | undefined> {
    const { idle, sleeper, postponement, wakeUp } = this.#o;
    // Somebody may have called while the gateway was asked.
    const remaining = await idle.remainingMs(activity, limitMs);
    if (remaining > 0) return remaining;
    const job = await wakeUp.job();
    const isAhead = job !== undefined && job > Date.now();
    const outcome = await sleeper.sleep(limitMs, isAhead ? await wakeUp.timeFor(job) : undefined);
    if (outcome === "asleep") {
      postponement.clear();
      await wakeUp.asleep();
      return this.#asleep();
    }
    idle.putOff();
    if (outcome === "ended") wakeUp.startGateway();
    return idle.idleMs;
  }

  async #asleep(): Promise<number | undefined> {
    const { isWaking, nextMs } = await this.#o.wakeUp.check();
    if (!isWaking) this.#armed = false;
    return nextMs;
  }

  async #list(): Promise<{ activity?: SandboxActivity | undefined } | undefined> {
    try {
      return await this.#o.sandbox.listProcesses(AbortSignal.timeout(LIST_TIMEOUT_MS));
    } catch {
      return undefined;
    }
  }
}
