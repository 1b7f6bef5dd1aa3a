/** Restores a backup that an administrator chose in place of the present state, which is backed up before. */
import type { BackupManifest } from "../../../contracts/backup.ts";
import type { RestoreOutcome } from "../outcome.ts";
import { BackupRefused } from "../refusal.ts";
import type { StateKeeper } from "../state-keeper.ts";

export interface ChosenRestoreOptions {
  keeper: StateKeeper;
  /**
   * Ends the gateway, has `meanwhile` done, and starts the gateway again; or joins a restart under way, and `meanwhile` is left.
   * Rejects when the start fails.
   */
  restart: (meanwhile: () => Promise<void>) => Promise<unknown>;
}

export class ChosenRestore {
  readonly #o: ChosenRestoreOptions;

  constructor(options: ChosenRestoreOptions) {
    this.#o = options;
  }

  /** @param discardPresent goes on when the present state cannot be backed up */
  async restore(id: string, discardPresent: boolean): Promise<RestoreOutcome> {
    const { backups, damaged } = await this.#o.keeper.report();
    const reason = damaged.find((backup) => backup.id === id)?.reason;
    if (reason !== undefined) return { refused: `That backup is damaged: ${reason}.` };
    const chosen = backups.find((backup) => backup.id === id);
    if (chosen === undefined) return { missing: true };
    try {
      await this.#o.keeper.verify(chosen);
      return await this.#replace(id, discardPresent);
    } catch (error) {
      if (error instanceof BackupRefused) return { refused: error.message };
      throw error;
    }
  }

  async #replace(id: string, discardPresent: boolean): Promise<RestoreOutcome> {
    let replaced: Promise<BackupManifest | undefined> | undefined;
    const restart = this.#o.restart(async () => {
      replaced = this.#o.keeper.replace(id, discardPresent);
      // Whatever becomes of it, the gateway is started again.
      await replaced.catch(() => {});
    });
    // A start that fails is told in the snapshot, and tried again.
    await restart.catch(() => {});
    if (replaced === undefined) return { refused: "A restart is under way; try again when the gateway runs." };
    const present = await replaced;
    return { restored: id, ...(present && { present }) };
  }
}
