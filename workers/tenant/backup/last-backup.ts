/**
 * Makes a last backup when the platform has told the container to end, and then ends the container. The gateway starts again in another
 * container, with everything that was written.
 */
import type { RecordEvent } from "../event-log.ts";
import { NothingToBackUp } from "./refusal.ts";

/** After a failed attempt the next one is made this much later, in milliseconds: the container waits ten minutes. */
const RETRY_MS = 60_000;

export interface LastBackupOptions {
  maker: {
    settled(): Promise<void>;
    check(): Promise<void>;
    backUp(): Promise<unknown>;
  };
  container: {
    /** Whether the container is there and was told to end. */
    isEnding(): Promise<boolean>;
    /** Ends the gateway with its child processes, and measures the use of the container. */
    endGateway(): Promise<unknown>;
    /** Ends the container. */
    release(): Promise<unknown>;
  };
  gateway: {
    /** Whether a start or a restart is under way. */
    readonly isBusy: boolean;
    /** Runs `before` while nothing is started, then starts the gateway. Starts nothing when `before` rejects. */
    restart(before: () => Promise<void>): Promise<unknown>;
  };
  /** Forgets the restore status, as the disk is gone. */
  forgetStatus: () => void;
  record: RecordEvent;
  /** Keeps the object alive until the work is done. */
  waitUntil: (work: Promise<unknown>) => void;
}

/** No gateway ran in the container that ended, so none is started. */
class NothingRan extends Error {
  override name = "NothingRan";
}

export class LastBackup {
  readonly #o: LastBackupOptions;
  #isEnding = false;
  #isUnderWay = false;
  #notBefore = 0;

  constructor(options: LastBackupOptions) {
    this.#o = options;
  }

  /**
   * Acts on an observation: begins the last backup of a container that is to end. Later observations try again a backup that failed.
   *
   * @param ending whether the container was told to end
   * @param ran whether a gateway, or its start, was observed
   */
  observed(ending: boolean, ran: boolean): void {
    if (!ending) {
      this.#isEnding = false;
      this.#notBefore = 0;
      return;
    }
    if (!this.#isEnding) this.#o.record("container.ending", {});
    this.#isEnding = true;
    if (this.#isUnderWay || this.#o.gateway.isBusy || Date.now() < this.#notBefore) return;
    this.#isUnderWay = true;
    this.#notBefore = Date.now() + RETRY_MS;
    const work = this.#leave(ran)
      .catch((error) => {
        if (!(error instanceof NothingRan)) this.#recordFailure(error);
      })
      .finally(() => {
        this.#isUnderWay = false;
      });
    this.#o.waitUntil(work);
  }

  async #leave(ran: boolean): Promise<void> {
    const { maker, container, gateway, forgetStatus, record } = this.#o;
    // A gateway whose state cannot be backed up keeps running until the platform ends it.
    await maker.check();
    await gateway.restart(async () => {
      await maker.settled();
      if (!(await container.isEnding())) throw new Error("the container has ended already");
      await container.endGateway();
      try {
        await maker.backUp();
      } catch (error) {
        if (!(error instanceof NothingToBackUp)) {
          // The restart starts the gateway again in this container, which has its state.
          this.#recordFailure(error);
          return;
        }
      }
      await container.release();
      forgetStatus();
      record("container.left", {});
      if (!ran) throw new NothingRan();
    });
  }

  #recordFailure(error: unknown): void {
    this.#o.record("container.not-left", { message: String(error) });
  }
}
