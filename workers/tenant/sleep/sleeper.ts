/** Puts an idle sandbox to sleep after a backup of its state, or leaves it awake. */
import type { BackupMaker } from "../backup/create/maker.ts";
import { NothingToBackUp } from "../backup/refusal.ts";
import type { RecordEvent } from "../event-log.ts";
import type { SandboxPort } from "../sandbox/port.ts";

/** `asleep`; `kept`: nothing has ended; `ended`: the gateway has ended and the sandbox is awake, so the gateway must be started again. */
export type SleepOutcome = "asleep" | "kept" | "ended";

export interface SleeperOptions {
  sandbox: Pick<SandboxPort, "kill" | "sleep">;
  maker: Pick<BackupMaker, "check" | "settled" | "backUp">;
  /** Forgets the restore status, as the disk is gone. */
  forgetStatus: () => void;
  /** Measures the use of the container before it ends. Does not reject. */
  measure: () => Promise<void>;
  record: RecordEvent;
}

export class Sleeper {
  readonly #o: SleeperOptions;
  #current: Promise<SleepOutcome> | undefined;
  #wanted = false;
  #lastRefusal: string | undefined;

  constructor(options: SleeperOptions) {
    this.#o = options;
  }

  /**
   * Falls asleep, unless {@link want} is called meanwhile. Does not reject. No start may be under way.
   *
   * @param idleMs how long there must have been no traffic when the gateway is ended, in milliseconds
   * @param wakesAt when the sandbox will be woken, ISO 8601, for the log
   */
  sleep(idleMs: number, wakesAt?: string): Promise<SleepOutcome> {
    this.#wanted = false;
    this.#current ??= this.#sleep(idleMs, wakesAt).finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }

  /** Keeps the sandbox from falling asleep, if it does not sleep yet. */
  want(): void {
    this.#wanted = true;
  }

  /** Waits until the sandbox is not falling asleep: it sleeps then, or stays awake. */
  async settled(): Promise<void> {
    await this.#current;
  }

  async #sleep(idleMs: number, wakesAt: string | undefined): Promise<SleepOutcome> {
    const { sandbox, maker, forgetStatus, measure, record } = this.#o;
    try {
      await maker.check();
    } catch (error) {
      this.#refused(String(error));
      return "kept";
    }
    this.#lastRefusal = undefined;
    // A backup under way would end with the processes.
    await maker.settled();
    if (this.#wanted) return "kept";
    try {
      if (!(await sandbox.kill(idleMs))) return "kept";
      await this.#backUp();
      await measure();
      if (this.#wanted) return "ended";
      await sandbox.sleep();
      forgetStatus();
      record("sleep.begun", wakesAt === undefined ? {} : { wakesAt });
      return "asleep";
    } catch (error) {
      record("sleep.failed", { message: String(error) });
      return "ended";
    }
  }

  async #backUp(): Promise<void> {
    try {
      await this.#o.maker.backUp();
    } catch (error) {
      if (!(error instanceof NothingToBackUp)) throw error;
    }
  }

  #refused(reason: string): void {
    if (this.#lastRefusal === reason) return;
    this.#lastRefusal = reason;
    this.#o.record("sleep.refused", { reason });
  }
}
