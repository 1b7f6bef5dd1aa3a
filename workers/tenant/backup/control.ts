/** Creates and restores backups on request. Keeps the sandbox from falling asleep meanwhile. */
import type { RestoreOrder } from "#workers/contracts/tenant/backup.ts";
import type { SleepControl } from "../sleep/control.ts";
import type { BackupMaker } from "./create/maker.ts";
import { type BackupOutcome, outcomeOf, type RestoreOutcome } from "./outcome.ts";
import type { ChosenRestore } from "./restore/chosen-restore.ts";
import type { RestoreStatusCache } from "./restore/status-cache.ts";

export interface BackupControlOptions {
  maker: Pick<BackupMaker, "backUp" | "accept">;
  restore: Pick<ChosenRestore, "restore">;
  status: Pick<RestoreStatusCache, "forget">;
  sleep: Pick<SleepControl, "recordCall" | "settle">;
  /** Measures the use of a container that is about to end. */
  measure: () => Promise<void>;
}

export class BackupControl {
  readonly #o: BackupControlOptions;

  constructor(options: BackupControlOptions) {
    this.#o = options;
  }

  /** @param isEnding whether the caller ends the container afterwards */
  async backUp(isEnding: boolean): Promise<BackupOutcome> {
    await this.#o.sleep.settle(false);
    try {
      return await outcomeOf(this.#o.maker.backUp());
    } finally {
      if (isEnding) await this.#o.measure();
    }
  }

  async acceptState(): Promise<BackupOutcome> {
    await this.#o.sleep.settle(false);
    const outcome = await outcomeOf(this.#o.maker.accept());
    if ("manifest" in outcome) this.#o.status.forget();
    return outcome;
  }

  async restore({ backup, discardPresent, order }: RestoreOrder): Promise<RestoreOutcome> {
    const { sleep, restore } = this.#o;
    // The restore first reads the image's version, which needs the sandbox awake.
    await sleep.recordCall();
    await sleep.settle(true);
    return restore.restore({ id: backup, discardPresent, order: order ?? crypto.randomUUID() });
  }
}
