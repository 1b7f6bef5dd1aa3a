/** Restores a backup that an administrator chose in place of the present state, which is backed up before. */
import type { BackupManifest } from "#workers/contracts/backup.ts";
import type { RestoreOutcome } from "../outcome.ts";
import { BackupRefused } from "../refusal.ts";
import type { StateKeeper, WantedRestore } from "../state-keeper.ts";

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
  readonly #underWay = new Map<string, Promise<RestoreOutcome>>();

  constructor(options: ChosenRestoreOptions) {
    this.#o = options;
  }

  /** Carries an order out; once, however often it is given. */
  restore(wanted: WantedRestore): Promise<RestoreOutcome> {
    const { order } = wanted;
    const underWay = this.#underWay.get(order) ?? this.#restore(wanted).finally(() => this.#underWay.delete(order));
    this.#underWay.set(order, underWay);
    return underWay;
  }

  async #restore(wanted: WantedRestore): Promise<RestoreOutcome> {
    const { id } = wanted;
    const earlier = await this.#o.keeper.ordered(wanted.order);
    if (earlier !== undefined) {
      // What broke off comes to its end by a start.
      if (!earlier.isOver) await this.#o.restart(async () => {}).catch(() => {});
      return { restored: earlier.of, ...(earlier.present !== undefined && { present: { id: earlier.present } }) };
    }
    const { backups, damaged } = await this.#o.keeper.report();
    const reason = damaged.find((backup) => backup.id === id)?.reason;
    if (reason !== undefined) return { refused: `That backup is damaged: ${reason}.` };
    const chosen = backups.find((backup) => backup.id === id);
    if (chosen === undefined) return { missing: true };
    try {
      await this.#o.keeper.verify(chosen);
      return await this.#replace(wanted);
    } catch (error) {
      if (error instanceof BackupRefused) return { refused: error.message };
      throw error;
    }
  }

  async #replace(wanted: WantedRestore): Promise<RestoreOutcome> {
    let replaced: Promise<BackupManifest | undefined> | undefined;
    const restart = this.#o.restart(async () => {
      replaced = this.#o.keeper.replace(wanted);
      // Whatever becomes of it, the gateway is started again.
      await replaced.catch(() => {});
    });
    // A start that fails is told in the snapshot, and tried again.
    await restart.catch(() => {});
    if (replaced === undefined) return { refused: "A restart is under way; try again when the gateway runs." };
    const present = await replaced;
    return { restored: wanted.id, ...(present && { present }) };
  }
}
