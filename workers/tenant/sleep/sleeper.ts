/** Puts an idle sandbox to sleep after a backup of its state, or leaves it awake. */
import type { BackupOrigin } from "#workers/contracts/tenant/backup.ts";
import { NothingToBackUp } from "../backup/errors.ts";
import type { RecordEvent } from "../event-log.ts";
import type { SandboxPort } from "../sandbox/port.ts";

/**
 * `kept`, `refused`: unchanged, because of traffic or because its state must not be backed up. `ended`, `failed`: the sandbox is awake without
 * its gateway, so the gateway must be started again.
 */
export type SleepOutcome = "asleep" | "kept" | "refused" | "ended" | "failed";

export interface SleeperOptions {
  sandbox: Pick<SandboxPort, "kill" | "sleep">;
  maker: {
    /** @throws when the state must not be backed up */
    check(): Promise<void>;
    settle(): Promise<void>;
    backUp(origin: BackupOrigin): Promise<unknown>;
  };
  /** Forgets the restore status, since the disk is deleted. */
  forgetStatus: () => void;
  /** Measures the use of the container before it ends. Does not reject. */
  measure: () => Promise<void>;
  record: RecordEvent;
}

export class Sleeper {
  readonly #o: SleeperOptions;
  #current: Promise<SleepOutcome> | undefined;
  #keepAwake = false;
  #lastRefusal: string | undefined;

  constructor(options: SleeperOptions) {
    this.#o = options;
  }

  /**
   * Puts the sandbox to sleep, unless {@link keepAwake} is called meanwhile. Does not reject. No start may be in progress. Concurrent callers
   * share one attempt.
   *
   * @param idleMs required time without traffic when the gateway is ended, in milliseconds
   * @param wakesAt when the sandbox will be woken, ISO 8601, for the log
   */
  sleep(idleMs: number, wakesAt?: string): Promise<SleepOutcome> {
    if (this.#current !== undefined) return this.#current;
    this.#keepAwake = false;
    this.#current = this.#sleep(idleMs, wakesAt).finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }

  /** Cancels falling asleep, if the sandbox does not sleep yet. */
  keepAwake(): void {
    this.#keepAwake = true;
  }

  /** Waits until the sandbox is not falling asleep. */
  async settle(): Promise<void> {
    await this.#current;
  }

  async #sleep(idleMs: number, wakesAt: string | undefined): Promise<SleepOutcome> {
    const { sandbox, maker, forgetStatus, measure, record } = this.#o;
    try {
      await maker.check();
    } catch (error) {
      this.#recordRefusal(String(error));
      return "refused";
    }
    this.#lastRefusal = undefined;
    // A backup in progress would end with the processes.
    await maker.settle();
    if (this.#keepAwake) return "kept";
    try {
      if (!(await sandbox.kill(idleMs))) return "kept";
      await maker.backUp({ reason: "before_sleep" }).catch((error) => {
        if (!(error instanceof NothingToBackUp)) throw error;
      });
      await measure();
      if (this.#keepAwake) return "ended";
      await sandbox.sleep();
      forgetStatus();
      record("sleep.begun", wakesAt === undefined ? {} : { wakesAt });
      return "asleep";
    } catch (error) {
      record("sleep.failed", { message: String(error) });
      return "failed";
    }
  }

  #recordRefusal(reason: string): void {
    if (this.#lastRefusal === reason) return;
    this.#lastRefusal = reason;
    this.#o.record("sleep.refused", { reason });
  }
}
