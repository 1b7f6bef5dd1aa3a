/** When the sandbox sleeps: by an alarm that outlives this object, once it has been idle for the time its plan gives it. */
import type { SandboxActivity } from "../../contracts/sandbox.ts";
import type { StateKeeper } from "../backup/state-keeper.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import { IdleWatch } from "./idle-watch.ts";
import { Sleeper } from "./sleeper.ts";

const LOOK_TIMEOUT_MS = 10_000;
/** After a look that failed the next is made this much later, in milliseconds. */
const RETRY_MS = 60_000;

export interface SleepScheduleOptions {
  storage: DurableObjectStorage;
  sandbox: SandboxPort;
  keeper: StateKeeper;
  /** Idle time before sleep, in milliseconds. */
  idleMs: number;
  /** Measures what this waking used; called just before it ends. Does not reject. */
  measure: () => Promise<void>;
  /** Whether a start or a restart is under way. */
  isStarting: () => boolean;
  /** Starts a gateway that was ended for a sleep that did not come. */
  start: () => void;
}

export class SleepSchedule {
  readonly #o: SleepScheduleOptions;
  readonly #idle: IdleWatch;
  readonly #sleeper: Sleeper;
  /** Whether an alarm is set as far as this object knows. */
  #armed = false;

  constructor(options: SleepScheduleOptions) {
    this.#o = options;
    this.#idle = new IdleWatch(options.storage, options.idleMs);
    this.#sleeper = new Sleeper(options.sandbox, options.keeper, options.idleMs, options.measure);
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
    await this.#wakeBy(Date.now() + this.#o.idleMs);
  }

  /** Waits until the sandbox is not falling asleep. @param wanted whether it is to stay awake if it can */
  async settled(wanted: boolean): Promise<void> {
    if (wanted) this.#sleeper.want();
    await this.#sleeper.settled();
  }

  /**
   * Puts the sandbox to sleep if it is time. Does not reject.
   *
   * @param seen what was seen just now, if anything was
   * @returns milliseconds to the next check, `undefined` when it sleeps
   */
  async check(seen?: { activity?: SandboxActivity | undefined }): Promise<number | undefined> {
    this.#armed = true;
    const look = seen ?? (await this.#look());
    if (look === undefined) return RETRY_MS;
    const { activity } = look;
    if (activity === undefined) return this.#unlessStarting();
    const remaining = await this.#idle.remainingMs(activity, Date.now());
    if (remaining > 0) return remaining;
    if (this.#o.isStarting()) return this.#o.idleMs;
    const outcome = await this.#sleeper.sleep();
    if (outcome === "asleep") return this.#unlessStarting();
    this.#idle.putOff(Date.now());
    if (outcome === "ended") this.#o.start();
    return this.#o.idleMs;
  }

  async #look(): Promise<{ activity?: SandboxActivity | undefined } | undefined> {
    try {
      return await this.#o.sandbox.listProcesses(AbortSignal.timeout(LOOK_TIMEOUT_MS));
    } catch {
      return undefined;
    }
  }

  #unlessStarting(): number | undefined {
    if (this.#o.isStarting()) return this.#o.idleMs;
    this.#armed = false;
    return undefined;
  }

  async #wakeBy(time: number): Promise<void> {
    const alarm = await this.#o.storage.getAlarm();
    if (alarm === null || alarm > time) await this.#o.storage.setAlarm(time);
  }
}
