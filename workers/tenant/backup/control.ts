/** Carries out orders about backups and restores. Keeps the sandbox awake for them. */
import type { BackupReport, RestoreOrder } from "#workers/contracts/tenant/backup.ts";
import type { BackupMaker } from "./create/maker.ts";
import { type BackupOutcome, outcomeOf, type RestoreOutcome } from "./outcome.ts";
import type { BackupReporter } from "./report.ts";
import type { ChosenRestore } from "./restore/chosen-restore.ts";
import type { RestoreStatusCache } from "./restore/status-cache.ts";

export interface BackupControlOptions {
  maker: Pick<BackupMaker, "backUp" | "backUpIfDue" | "accept">;
  reporter: Pick<BackupReporter, "report">;
  restore: Pick<ChosenRestore, "restore">;
  status: Pick<RestoreStatusCache, "forget">;
  sleep: {
    /** An activating call was made. */
    called(): Promise<void>;
    /** Waits until the sandbox is not falling asleep. @param wanted whether it is to stay awake if it can */
    settled(wanted: boolean): Promise<void>;
  };
  /** Measures the use of a container that is about to end. */
  measure: () => Promise<void>;
}

export class BackupControl {
  readonly #o: BackupControlOptions;

  constructor(options: BackupControlOptions) {
    this.#o = options;
  }

  /** Makes a backup when one is due. Does not reject. */
  backUpIfDue(): Promise<void> {
    return this.#o.maker.backUpIfDue();
  }

  /** @param isEnding whether the caller ends the container afterwards */
  async backUp(isEnding: boolean): Promise<BackupOutcome> {
    await this.#o.sleep.settled(false);
    try {
      return await outcomeOf(this.#o.maker.backUp());
    } finally {
      if (isEnding) await this.#o.measure();
    }
  }

  report(): Promise<BackupReport> {
    return this.#o.reporter.report();
  }

  async acceptState(): Promise<BackupOutcome> {
    await this.#o.sleep.settled(false);
    return outcomeOf(this.#accept());
  }

  async restore({ backup, discardPresent, order }: RestoreOrder): Promise<RestoreOutcome> {
    const { sleep, restore } = this.#o;
    // The restore asks the image first, which needs the sandbox awake.
    await sleep.called();
    await sleep.settled(true);
    return restore.restore({ id: backup, discardPresent, order: order ?? crypto.randomUUID() });
  }

  async #accept() {
    const manifest = await this.#o.maker.accept();
    this.#o.status.forget();
    return manifest;
  }
}
