/** Restores a backup that an administrator chose in place of the present state, which is backed up before. */
import type { BackupManifest } from "#workers/contracts/tenant/backup.ts";
import type { RestoreOutcome } from "../outcome.ts";
import { BackupRefused } from "../refusal.ts";
import type { BackupReporter } from "../report.ts";
import type { StateReplacement, WantedRestore } from "./replacement.ts";
import type { BackupVerification } from "./verification.ts";

export interface ChosenRestoreOptions {
  replacement: Pick<StateReplacement, "replace" | "ordered">;
  verification: Pick<BackupVerification, "verify">;
  reporter: Pick<BackupReporter, "report">;
  /**
   * Ends the gateway, runs `meanwhile`, and starts the gateway again. Joins a restart under way instead, without `meanwhile`. Rejects when
   * the start fails.
   */
  restart: (meanwhile: () => Promise<void>) => Promise<unknown>;
}

export class ChosenRestore {
  readonly #o: ChosenRestoreOptions;
  readonly #underWay = new Map<string, Promise<RestoreOutcome>>();

  constructor(options: ChosenRestoreOptions) {
    this.#o = options;
  }

  /** Carries out an order, once, however often it is given. */
  restore(wanted: WantedRestore): Promise<RestoreOutcome> {
    const { order } = wanted;
    const underWay = this.#underWay.get(order) ?? this.#restore(wanted).finally(() => this.#underWay.delete(order));
    this.#underWay.set(order, underWay);
    return underWay;
  }

  async #restore(wanted: WantedRestore): Promise<RestoreOutcome> {
    const { id } = wanted;
    const earlier = await this.#o.replacement.ordered(wanted.order);
    if (earlier !== undefined) {
      // A start finishes a restore that broke off.
      if (!earlier.isOver) await this.#o.restart(async () => {}).catch(() => {});
      return { restored: earlier.of, ...(earlier.present !== undefined && { present: { id: earlier.present } }) };
    }
    const { backups, damaged } = await this.#o.reporter.report();
    const reason = damaged.find((backup) => backup.id === id)?.reason;
    if (reason !== undefined) return { refused: `That backup is damaged: ${reason}.` };
    const chosen = backups.find((backup) => backup.id === id);
    if (chosen === undefined) return { missing: true };
    try {
      await this.#o.verification.verify(chosen);
      return await this.#replace(wanted);
    } catch (error) {
      if (error instanceof BackupRefused) return { refused: error.message };
      throw error;
    }
  }

  async #replace(wanted: WantedRestore): Promise<RestoreOutcome> {
    let replaced: Promise<BackupManifest | undefined> | undefined;
    const restart = this.#o.restart(async () => {
      replaced = this.#o.replacement.replace(wanted);
      // The gateway is started again even when the restore fails.
      await replaced.catch(() => {});
    });
    // The snapshot shows a start that fails, and it is tried again.
    await restart.catch(() => {});
    if (replaced === undefined) return { refused: "A restart is under way; try again when the gateway runs." };
    const present = await replaced;
    return { restored: wanted.id, ...(present && { present }) };
  }
}
