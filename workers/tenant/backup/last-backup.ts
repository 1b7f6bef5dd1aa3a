/**
 * Makes a last backup of a container that received TERM, and then ends the container. The gateway starts again in another container, with its
 * last changes.
 */
import type { BackupOrigin } from "#workers/contracts/tenant/backup.ts";
import type { RecordEvent } from "../event-log.ts";
import { NothingToBackUp } from "./errors.ts";

/** Delay of the next attempt after a failed one, in milliseconds. The container waits ten minutes. */
const RETRY_MS = 60_000;

export interface LastBackupOptions {
  maker: {
    settle(): Promise<void>;
    check(): Promise<void>;
    backUp(origin: BackupOrigin): Promise<unknown>;
  };
  container: {
    /** Whether the container runs and received TERM. */
    isEnding(): Promise<boolean>;
    /** Ends the gateway with its child processes, and measures the use of the container. */
    endGateway(): Promise<unknown>;
    /** Ends the container. */
    release(): Promise<unknown>;
  };
  gateway: {
    /** Whether a start or a restart is in progress. */
    readonly isBusy: boolean;
    /** Runs `before`, then starts the gateway. Does not start it when `before` rejects. */
    restart(before: () => Promise<void>): Promise<unknown>;
  };
  /** Forgets the restore status, since the disk is deleted. */
  forgetStatus: () => void;
  record: RecordEvent;
  waitUntil: (work: Promise<unknown>) => void;
}

/** Skips the start, since no gateway ran in the container that ended. */
class NoGatewayRan extends Error {
  override name = "NoGatewayRan";
}

export class LastBackup {
  readonly #o: LastBackupOptions;
  #isEnding = false;
  #isInProgress = false;
  #notBefore = 0;

  constructor(options: LastBackupOptions) {
    this.#o = options;
  }

  /**
   * Begins the last backup of a container that is ending. Later observations retry a failed one.
   *
   * @param isEnding whether the container received TERM
   * @param ran whether a gateway, or its start, was observed
   */
  observe(isEnding: boolean, ran: boolean): void {
    if (!isEnding) {
      this.#isEnding = false;
      this.#notBefore = 0;
      return;
    }
    if (!this.#isEnding) this.#o.record("container.ending", {});
    this.#isEnding = true;
    if (this.#isInProgress || this.#o.gateway.isBusy || Date.now() < this.#notBefore) return;
    this.#isInProgress = true;
    this.#notBefore = Date.now() + RETRY_MS;
    const work = this.#leaveContainer(ran)
      .catch((error) => {
        if (!(error instanceof NoGatewayRan)) this.#recordFailure(error);
      })
      .finally(() => {
        this.#isInProgress = false;
      });
    this.#o.waitUntil(work);
  }

  async #leaveContainer(ran: boolean): Promise<void> {
    const { maker, container, gateway, forgetStatus, record } = this.#o;
    // A gateway whose state cannot be backed up keeps running until the platform ends it.
    await maker.check();
    await gateway.restart(async () => {
      await maker.settle();
      if (!(await container.isEnding())) throw new Error("The container has already ended.");
      await container.endGateway();
      try {
        await maker.backUp({ reason: "before_stop" });
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
      if (!ran) throw new NoGatewayRan();
    });
  }

  #recordFailure(error: unknown): void {
    this.#o.record("container.not-left", { message: String(error) });
  }
}
