/** Puts an idle sandbox to sleep, with its state backed up at rest, or leaves it awake. */
import { NothingToBackUp } from "../backup/refusal.ts";
import type { StateKeeper } from "../backup/state-keeper.ts";
import type { SandboxPort } from "../sandbox/port.ts";

/** `asleep`; `kept`: nothing was ended; `ended`: the gateway was, but the sandbox is awake, so it must be started again. */
export type SleepOutcome = "asleep" | "kept" | "ended";

export class Sleeper {
  readonly #sandbox: SandboxPort;
  readonly #keeper: StateKeeper;
  readonly #measure: () => Promise<void>;
  #current: Promise<SleepOutcome> | undefined;
  #wanted = false;
  #lastRefusal: string | undefined;

  /** @param measure takes the last look at what this waking used */
  constructor(sandbox: SandboxPort, keeper: StateKeeper, measure: () => Promise<void>) {
    this.#sandbox = sandbox;
    this.#keeper = keeper;
    this.#measure = measure;
  }

  /**
   * Falls asleep, unless it is wanted meanwhile. Does not reject. No start may be under way.
   *
   * @param idleMs how long there must have been no traffic when the gateway is ended, in milliseconds
   * @param wakesAt when it is to be woken, ISO 8601; told in the log
   */
  sleep(idleMs: number, wakesAt?: string): Promise<SleepOutcome> {
    this.#wanted = false;
    this.#current ??= this.#sleep(idleMs, wakesAt).finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }

  /** Keeps the sandbox from falling asleep, if that is not done yet. */
  want(): void {
    this.#wanted = true;
  }

  /** Waits until the sandbox is no longer about to fall asleep: then it sleeps, or stays awake. */
  async settled(): Promise<void> {
    await this.#current;
  }

  async #sleep(idleMs: number, wakesAt: string | undefined): Promise<SleepOutcome> {
    try {
      await this.#keeper.checkBackUp();
    } catch (error) {
      this.#refused(String(error));
      return "kept";
    }
    this.#lastRefusal = undefined;
    // A backup would end with the processes.
    await this.#keeper.settled();
    if (this.#wanted) return "kept";
    try {
      if (!(await this.#sandbox.kill(idleMs))) return "kept";
      await this.#backUp();
      await this.#measure();
      if (this.#wanted) return "ended";
      await this.#sandbox.sleep();
      this.#keeper.forget();
      this.#keeper.note("sleep.begun", wakesAt === undefined ? {} : { wakesAt });
      return "asleep";
    } catch (error) {
      this.#keeper.note("sleep.failed", { message: String(error) });
      return "ended";
    }
  }

  async #backUp(): Promise<void> {
    try {
      await this.#keeper.backUp();
    } catch (error) {
      if (!(error instanceof NothingToBackUp)) throw error;
    }
  }

  #refused(reason: string): void {
    if (this.#lastRefusal === reason) return;
    this.#lastRefusal = reason;
    this.#keeper.note("sleep.refused", { reason });
  }
}
