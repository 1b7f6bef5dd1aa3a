/** Replaces the present state by a backup that an administrator chose. The present state is backed up first. */
import type { BackupManifest } from "#workers/contracts/tenant/backup.ts";
import { BackupRefused, DamagedBackup, NewerState, refuseNewer } from "../errors.ts";
import type { RestoreOutcome } from "../outcome.ts";
import type { BackupReporter } from "../report.ts";
import type { BackupStore } from "../stored/store.ts";
import type { StoredBackup } from "../stored/stored-backup.ts";
import type { ImageVersion } from "../upgrade/image-version.ts";
import type { StateUpgrade } from "../upgrade/state-upgrade.ts";
import type { RequestedRestore, StateReplacement } from "./replacement.ts";

export interface ChosenRestoreOptions {
  replacement: Pick<StateReplacement, "replace" | "findEarlier">;
  store: Pick<BackupStore, "verify">;
  image: Pick<ImageVersion, "getVersions">;
  upgrade: Pick<StateUpgrade, "current">;
  reporter: Pick<BackupReporter, "report">;
  /**
   * Ends the gateway, runs `meanwhile`, and starts the gateway again. Or joins a restart in progress, without `meanwhile`. Rejects when the
   * start fails.
   */
  restart: (meanwhile: () => Promise<void>) => Promise<unknown>;
}

export class ChosenRestore {
  readonly #o: ChosenRestoreOptions;
  readonly #inProgress = new Map<string, Promise<RestoreOutcome>>();

  constructor(options: ChosenRestoreOptions) {
    this.#o = options;
  }

  /** Carries out an order once, however often it is given. */
  restore(request: RequestedRestore): Promise<RestoreOutcome> {
    const { order } = request;
    const outcome = this.#inProgress.get(order) ?? this.#restore(request).finally(() => this.#inProgress.delete(order));
    this.#inProgress.set(order, outcome);
    return outcome;
  }

  async #restore(request: RequestedRestore): Promise<RestoreOutcome> {
    const { id } = request;
    const earlier = await this.#o.replacement.findEarlier(request.order);
    if (earlier !== undefined) {
      // A start finishes an interrupted restore.
      if (!earlier.isFinished) await this.#o.restart(async () => {}).catch(() => {});
      return { restored: earlier.of, ...(earlier.present !== undefined && { present: { id: earlier.present } }) };
    }
    const { backups, damaged } = await this.#o.reporter.report();
    const reason = damaged.find((backup) => backup.id === id)?.reason;
    if (reason !== undefined) return { refused: `The backup is damaged: ${reason}. Choose another one.` };
    const chosen = backups.find((backup) => backup.id === id);
    if (chosen === undefined) return { missing: true };
    try {
      await this.#verify(chosen);
      return await this.#replace(request);
    } catch (error) {
      if (error instanceof BackupRefused) return { refused: error.message };
      throw error;
    }
  }

  /** Wakes the sandbox. @throws BackupRefused when the backup is damaged, or newer than the image */
  async #verify({ id, gateway }: Pick<StoredBackup, "id" | "gateway">): Promise<void> {
    const { store, image, upgrade } = this.#o;
    try {
      // Completes an upgrade while its gateway still runs. The restore ends that gateway.
      await upgrade.current();
      if (gateway !== undefined) refuseNewer(`The state of backup ${id}`, await image.getVersions(gateway));
      await store.verify(id);
    } catch (error) {
      if (error instanceof NewerState) throw new BackupRefused(`${error.message}. Nothing was changed.`);
      if (!(error instanceof DamagedBackup)) throw error;
      throw new BackupRefused(`The backup is damaged: ${error.message}. Choose another one.`);
    }
  }

  async #replace(request: RequestedRestore): Promise<RestoreOutcome> {
    let replaced: Promise<BackupManifest | undefined> | undefined;
    const restart = this.#o.restart(async () => {
      replaced = this.#o.replacement.replace(request);
      // The gateway is started again even when the restore fails.
      await replaced.catch(() => {});
    });
    // Health snapshots report a failed start, which is retried.
    await restart.catch(() => {});
    if (replaced === undefined) return { refused: "A restart is in progress. Try again when the gateway runs." };
    const present = await replaced;
    return { restored: request.id, ...(present && { present }) };
  }
}
