/** Creates and restores backups on request. Keeps the sandbox from falling asleep meanwhile. */
import { stateError } from "#domain/errors/stated.ts";
import { backupErrors } from "#domain/errors/tenants/backups.ts";
import { type BackupOrigin, MAX_KEPT_BACKUPS, type RestoreOrder, UPLOAD_ID } from "#workers/contracts/tenant/backup.ts";
import type { SleepControl } from "../sleep/control.ts";
import type { BackupMaker } from "./create/maker.ts";
import {
  type BackupOutcome,
  type KeptOutcome,
  outcomeOf,
  type RemovalOutcome,
  type RestoreOutcome,
} from "./outcome.ts";
import type { ChosenRestore } from "./restore/chosen-restore.ts";
import type { RestoreStatusCache } from "./restore/status-cache.ts";
import type { BackupStore } from "./stored/store.ts";

export interface BackupControlOptions {
  store: Pick<BackupStore, "list" | "keep" | "remove">;
  maker: Pick<BackupMaker, "backUp" | "accept">;
  restore: Pick<ChosenRestore, "restore">;
  status: Pick<RestoreStatusCache, "forget">;
  sleep: Pick<SleepControl, "recordCall" | "settle">;
  /** Measures the use of a container that is about to end. */
  measure: () => Promise<void>;
}

export class BackupControl {
  readonly #o: BackupControlOptions;
  #keeping: Promise<unknown> = Promise.resolve();

  constructor(options: BackupControlOptions) {
    this.#o = options;
  }

  /** @param isEnding whether the caller may end the container afterwards */
  async backUp(isEnding: boolean, origin: BackupOrigin): Promise<BackupOutcome> {
    await this.#o.sleep.settle(false);
    try {
      return await outcomeOf(this.#o.maker.backUp(origin));
    } finally {
      if (isEnding) await this.#o.measure();
    }
  }

  /** Keeps a backup beyond the retention, or no longer. The calls of one tenant are in order, so that two ADMINs do not exceed the bound. */
  keep(id: string, kept: boolean): Promise<KeptOutcome> {
    const result = this.#keeping.then(() => this.#keep(id, kept));
    this.#keeping = result.catch(() => {});
    return result;
  }

  async #keep(id: string, kept: boolean): Promise<KeptOutcome> {
    const { own, uploaded } = await this.#o.store.list();
    const all = [...own, ...uploaded];
    const found = all.find((backup) => backup.id === id);
    if (found === undefined) return { missing: true };
    if (kept && !found.kept && all.filter((backup) => backup.kept).length >= MAX_KEPT_BACKUPS)
      return { refused: stateError(backupErrors.kept_backups_full, { most: MAX_KEPT_BACKUPS }) };
    await this.#o.store.keep(id, kept);
    return { kept };
  }

  /** Deletes an uploaded backup. */
  async removeUpload(id: string): Promise<RemovalOutcome> {
    const { own, uploaded, damaged } = await this.#o.store.list();
    if (own.some((backup) => backup.id === id)) return { refused: stateError(backupErrors.backup_not_uploaded) };
    if (![...uploaded, ...damaged].some((backup) => backup.id === id && id.startsWith(UPLOAD_ID)))
      return { missing: true };
    await this.#o.store.remove([id]);
    return { removed: id };
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
