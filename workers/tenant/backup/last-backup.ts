/**
 * Makes a last backup when the platform has told the container to end, and lets the container go: what ran in it begins anew in
 * another, with all that was written.
 */
import { NothingToBackUp } from "./refusal.ts";

/** After an attempt that failed the next is made this much later, in milliseconds: the container waits ten minutes. */
const RETRY_MS = 60_000;

export interface LastBackupOptions {
  keeper: {
    settled(): Promise<void>;
    checkBackUp(): Promise<void>;
    backUp(): Promise<unknown>;
    forget(): void;
    note(event: string, details: Record<string, unknown>): void;
  };
  /** Looks whether the container is there and told to end. */
  isEnding: () => Promise<boolean>;
  /** Whether a start or a restart is under way. */
  isBusy: () => boolean;
  /** Ends the gateway with what it started, and measures what this waking used. */
  end: () => Promise<unknown>;
  /** Ends the container. */
  letGo: () => Promise<unknown>;
  /** Does something while nothing is started, then starts the gateway; rejects, and starts nothing, when that does. */
  restart: (before: () => Promise<void>) => Promise<unknown>;
  /** Keeps the object alive for work that nobody waits for. */
  waitUntil: (work: Promise<unknown>) => void;
}

/** Nothing ran in the container that went, so nothing is started. */
class NothingRan extends Error {
  override name = "NothingRan";
}

export class LastBackup {
  readonly #o: LastBackupOptions;
  #isTold = false;
  #isUnderWay = false;
  #notBefore = 0;

  constructor(options: LastBackupOptions) {
    this.#o = options;
  }

  /**
   * A look was made. When the container is to end its last backup begins; when that fails it is tried again by later looks.
   *
   * @param ending whether the container was told to end
   * @param ran whether a gateway, or its start, was seen
   */
  seen(ending: boolean, ran: boolean): void {
    if (!ending) {
      this.#isTold = false;
      this.#notBefore = 0;
      return;
    }
    if (!this.#isTold) this.#o.keeper.note("container.ending", {});
    this.#isTold = true;
    if (this.#isUnderWay || this.#o.isBusy() || Date.now() < this.#notBefore) return;
    this.#isUnderWay = true;
    this.#notBefore = Date.now() + RETRY_MS;
    const work = this.#leave(ran)
      .catch((error) => {
        if (!(error instanceof NothingRan)) this.#o.keeper.note("container.not-left", { message: String(error) });
      })
      .finally(() => {
        this.#isUnderWay = false;
      });
    this.#o.waitUntil(work);
  }

  async #leave(ran: boolean): Promise<void> {
    const { keeper, restart } = this.#o;
    // While the gateway runs still: one whose state cannot be backed up is left alone until the platform ends it.
    await keeper.checkBackUp();
    await restart(async () => {
      await keeper.settled();
      if (!(await this.#o.isEnding())) throw new Error("the container has ended already");
      await this.#o.end();
      try {
        await keeper.backUp();
      } catch (error) {
        if (!(error instanceof NothingToBackUp)) {
          // The gateway is started again where its state lies.
          keeper.note("container.not-left", { message: String(error) });
          return;
        }
      }
      await this.#o.letGo();
      keeper.forget();
      keeper.note("container.left", {});
      if (!ran) throw new NothingRan();
    });
  }
}
