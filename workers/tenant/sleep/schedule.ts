/**
 * When the sandbox sleeps: by an alarm that outlives this object, once it has been idle for the time its plan gives it and its gateway
 * does nothing by itself. And when it wakes for a job of its gateway's.
 */
import type { SandboxActivity } from "#workers/contracts/sandbox.ts";
import type { SleepStatus } from "#workers/contracts/sandbox-status.ts";
import type { StateKeeper } from "../backup/state-keeper.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import { IdleWatch } from "./idle-watch.ts";
import { NextJob } from "./next-job.ts";
import { Sleeper } from "./sleeper.ts";
import { type Postponed, WAKE_LEAD_MS, WorkWatch } from "./work-watch.ts";

const LOOK_TIMEOUT_MS = 10_000;
/** After a look that failed the next is made this much later, in milliseconds. */
const RETRY_MS = 60_000;
/** A gateway at work is asked again this much later at the latest, in milliseconds. */
const ASK_AGAIN_MS = 60_000;

export interface SleepScheduleOptions {
  storage: DurableObjectStorage;
  sandbox: SandboxPort;
  keeper: StateKeeper;
  /** Idle time before sleep, in milliseconds. */
  idleMs: number;
  /** Whether it sleeps although channels are connected. */
  sleepsWithChannels: boolean;
  /** How long before a job it is woken, in milliseconds. Default: {@link WAKE_LEAD_MS}. */
  leadMs?: number | undefined;
  /** Rings the object's alarm after so many milliseconds at the latest. */
  ringWithin: (ms: number) => Promise<void>;
  /** Whether the tenant may not be reached, so that its gateway's work counts for nothing. */
  isHeld: () => Promise<boolean>;
  /** Measures what this waking used; called just before it ends. Does not reject. */
  measure: () => Promise<void>;
  /** Whether a start or a restart is under way. */
  isStarting: () => boolean;
  /** Starts a gateway that was ended for a sleep that did not come, or whose job is due. */
  start: () => void;
}

export class SleepSchedule {
  readonly #o: SleepScheduleOptions;
  readonly #idle: IdleWatch;
  readonly #sleeper: Sleeper;
  readonly #job: NextJob;
  readonly #work: WorkWatch;
  /** Why it was kept awake when it was asked last. */
  #postponed: Postponed | undefined;
  #askAgainAt = 0;
  /** Whether an alarm is set as far as this object knows. */
  #armed = false;

  constructor(options: SleepScheduleOptions) {
    this.#o = options;
    this.#idle = new IdleWatch(options.storage, options.idleMs);
    this.#sleeper = new Sleeper(options.sandbox, options.keeper, options.measure);
    const { storage, sandbox, sleepsWithChannels, leadMs = WAKE_LEAD_MS } = options;
    this.#job = new NextJob(storage);
    this.#work = new WorkWatch({ storage, sandbox, job: this.#job, sleepsWithChannels, leadMs });
  }

  /** An activating call was made: the sandbox stays awake, or is about to wake. */
  async called(): Promise<void> {
    this.#sleeper.want();
    await this.#idle.called(Date.now());
  }

  /** The sandbox is awake, so it is looked after from now on. */
  async awake(): Promise<void> {
    if (this.#armed) return;
    this.#armed = true;
    await this.#o.ringWithin(this.#o.idleMs);
  }

  /** Waits until the sandbox is not falling asleep. @param wanted whether it is to stay awake if it can */
  async settled(wanted: boolean): Promise<void> {
    if (wanted) this.#sleeper.want();
    await this.#sleeper.settled();
  }

  /** Tells of sleep and waking, and changes nothing. @param activity undefined while it sleeps */
  async status(activity: SandboxActivity | undefined): Promise<SleepStatus> {
    const job = await this.#job.at();
    const told = {
      afterSeconds: this.#o.idleMs / 1_000,
      ...(job !== undefined && { nextJobAt: new Date(job).toISOString() }),
    };
    if (activity === undefined) {
      const wakes = job !== undefined && !(await this.#o.isHeld());
      return { ...told, ...(wakes && { wakesAt: new Date(this.#work.wakeFor(job)).toISOString() }) };
    }
    const forJob = isForNobody(activity) && (await this.#job.wokeForIt());
    const remaining = await this.#idle.remainingMs(activity, Date.now(), forJob ? this.#shortIdleMs : undefined);
    const keptAwake = remaining > 0 ? undefined : this.#postponed;
    return { ...told, remainingSeconds: remaining / 1_000, ...(keptAwake && { keptAwake }) };
  }

  /**
   * Puts the sandbox to sleep if it is time, or wakes it. Does not reject.
   *
   * @param seen what was seen just now, if anything was
   * @returns milliseconds to the next check, `undefined` when it sleeps and nothing is to wake it
   */
  async check(seen?: { activity?: SandboxActivity | undefined }): Promise<number | undefined> {
    this.#armed = true;
    const look = seen ?? (await this.#look());
    if (look === undefined) return RETRY_MS;
    const { activity } = look;
    if (activity === undefined) return this.#asleep();
    const idleMs = await this.#idleMs(activity);
    const remaining = await this.#idle.remainingMs(activity, Date.now(), idleMs);
    if (remaining > 0) {
      this.#postponed = undefined;
      return remaining;
    }
    if (this.#o.isStarting()) return this.#o.idleMs;
    return (await this.#postpone()) ?? (await this.#sleep(activity, idleMs));
  }

  /** Asks whether it is to stay awake. @returns milliseconds to the next check; `undefined` when it may sleep */
  async #postpone(): Promise<number | undefined> {
    if (await this.#o.isHeld()) return undefined;
    const wait = this.#askAgainAt - Date.now();
    if (wait > 0) return wait;
    const postponed = await this.#work.ask(Date.now);
    if (postponed === undefined) return undefined;
    const { reason, details } = postponed;
    if (reason !== this.#postponed?.reason) this.#o.keeper.note("sleep.postponed", { reason, details });
    this.#postponed = postponed;
    // Woken for it, the gateway may have failed to start.
    if (reason === "job" && (await this.#job.wokeForIt())) this.#o.start();
    const again = Math.min(ASK_AGAIN_MS, this.#o.idleMs);
    this.#askAgainAt = Date.now() + again;
    return again;
  }

  async #sleep(activity: SandboxActivity, idleMs: number): Promise<number | undefined> {
    // Somebody may have called while it was asked.
    const remaining = await this.#idle.remainingMs(activity, Date.now(), idleMs);
    if (remaining > 0) return remaining;
    const job = (await this.#o.isHeld()) ? undefined : await this.#job.at();
    const isAhead = job !== undefined && job > Date.now();
    const wakesAt = isAhead ? new Date(this.#work.wakeFor(job)).toISOString() : undefined;
    const outcome = await this.#sleeper.sleep(idleMs, wakesAt);
    if (outcome === "asleep") {
      this.#postponed = undefined;
      await this.#job.woken(false);
      return this.#asleep();
    }
    this.#idle.putOff(Date.now());
    if (outcome === "ended") this.#o.start();
    return this.#o.idleMs;
  }

  /** Idle time before sleep: less when it was woken for a job, and nobody came since. */
  async #idleMs(activity: SandboxActivity): Promise<number> {
    if (!(await this.#job.wokeForIt())) return this.#o.idleMs;
    if (isForNobody(activity)) return this.#shortIdleMs;
    await this.#job.woken(false);
    return this.#o.idleMs;
  }

  get #shortIdleMs(): number {
    return Math.min(this.#o.idleMs, this.#work.leastSleepMs);
  }

  /** Wakes it when that is due. @returns as {@link check} */
  async #asleep(): Promise<number | undefined> {
    if (this.#o.isStarting()) return this.#o.idleMs;
    const job = await this.#job.at();
    const wait = job === undefined ? undefined : this.#work.wakeFor(job) - Date.now();
    if (job === undefined || wait === undefined || wait > 0) {
      this.#armed = false;
      return wait;
    }
    const at = new Date(job).toISOString();
    if ((await this.#o.isHeld()) || this.#work.isMissed(job, Date.now())) {
      this.#armed = false;
      this.#o.keeper.note("sleep.job-missed", { job: at });
      await this.#job.told(undefined);
      return undefined;
    }
    this.#o.keeper.note("sleep.ended", { job: at });
    await this.#job.woken(true);
    this.#o.start();
    return Math.min(RETRY_MS, this.#o.idleMs);
  }

  async #look(): Promise<{ activity?: SandboxActivity | undefined } | undefined> {
    try {
      return await this.#o.sandbox.listProcesses(AbortSignal.timeout(LOOK_TIMEOUT_MS));
    } catch {
      return undefined;
    }
  }
}

/** Whether nobody came since it woke. */
const isForNobody = ({ idleMs, uptimeMs }: SandboxActivity): boolean => idleMs >= uptimeMs;
