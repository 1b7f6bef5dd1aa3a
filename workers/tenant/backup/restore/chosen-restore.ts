/** Replaces the present state by a backup that an administrator chose. The present state is backed up first. */
import { type StatedError, stateError } from "#domain/errors/stated.ts";
import { backupErrors } from "#domain/errors/tenants/backups.ts";
import type { BackupManifest, BackupReport } from "#workers/contracts/tenant/backup.ts";
import type { RecordEvent } from "../../event-log.ts";
import { duringRestart, type Restart } from "../../gateway/during-restart.ts";
import type { BackupCleanup } from "../create/cleanup.ts";
import type { BackupMaker } from "../create/maker.ts";
import { BackupRefused, DamagedBackup, NewerState, refuseNewer } from "../errors.ts";
import type { RestoreOutcome } from "../outcome.ts";
import type { BackupStore } from "../stored/store.ts";
import type { OrderedRestore, StoredBackup } from "../stored/stored-backup.ts";
import type { ImageVersion } from "../upgrade/image-version.ts";
import type { StateUpgrade } from "../upgrade/state-upgrade.ts";
import type { PendingRestore } from "./pending-restore.ts";

export interface RequestedRestore {
  /** Id of the backup. */
  id: string;
  /** Continues when the present state cannot be backed up. */
  discardPresent: boolean;
  /** Identifies the order. */
  order: string;
}

export interface ChosenRestoreOptions {
  store: Pick<BackupStore, "list" | "verify" | "copyAsNewest">;
  maker: Pick<BackupMaker, "settle" | "backUpPresent">;
  cleanup: Pick<BackupCleanup, "suspendDuring">;
  pendingRestore: Pick<PendingRestore, "giveUpState" | "isFinished">;
  image: Pick<ImageVersion, "getVersions">;
  upgrade: Pick<StateUpgrade, "current">;
  report: () => Promise<BackupReport>;
  restart: Restart;
  record: RecordEvent;
}

const damageOf = (reason: string): StatedError => stateError(backupErrors.backup_damaged, { reason });

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
    const earlier = await this.#findEarlier(request.order);
    if (earlier !== undefined) {
      // A start finishes an interrupted restore.
      if (!earlier.isFinished) await this.#o.restart(async () => {}).catch(() => {});
      return { restored: earlier.of, ...(earlier.present !== undefined && { present: { id: earlier.present } }) };
    }
    const { backups, damaged } = await this.#o.report();
    const reason = damaged.find((backup) => backup.id === id)?.reason;
    if (reason !== undefined) return { refused: damageOf(reason) };
    const chosen = backups.find((backup) => backup.id === id);
    if (chosen === undefined) return { missing: true };
    try {
      await this.#verify(chosen);
      return await this.#restartWith(request);
    } catch (error) {
      if (error instanceof BackupRefused) return { refused: error.stated };
      throw error;
    }
  }

  /** Finds an earlier restore of the same order. @returns `isFinished: false` when it was interrupted and the next start finishes it */
  async #findEarlier(order: string): Promise<(OrderedRestore & { isFinished: boolean }) | undefined> {
    const { own, damaged } = await this.#o.store.list();
    const copy = [...own, ...damaged].find(({ restore }) => restore?.order === order);
    if (copy?.restore === undefined) return undefined;
    return { ...copy.restore, isFinished: copy !== own[0] || (await this.#o.pendingRestore.isFinished(order)) };
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
      if (error instanceof NewerState)
        throw new BackupRefused(stateError(backupErrors.restored_state_too_new, { fault: error.message }));
      if (!(error instanceof DamagedBackup)) throw error;
      throw new BackupRefused(damageOf(error.message));
    }
  }

  async #restartWith(request: RequestedRestore): Promise<RestoreOutcome> {
    const replaced = await duringRestart(this.#o.restart, () => this.#replaceState(request));
    if (replaced === undefined) return { refused: stateError(backupErrors.restart_in_progress) };
    const present = replaced.result;
    return { restored: request.id, ...(present && { present }) };
  }

  /**
   * Replaces the state after the gateway has ended. The sandbox sleeps afterwards, and the next start restores the backup. Once the copy is the
   * newest backup, the next start or backup finishes an interrupted restore.
   *
   * @returns the backup of the present state, if one existed
   * @throws BackupRefused when the present state cannot be backed up, before any change
   */
  async #replaceState({ id, discardPresent, order }: RequestedRestore): Promise<BackupManifest | undefined> {
    const { store, maker, cleanup, pendingRestore, record } = this.#o;
    await maker.settle();
    return cleanup.suspendDuring(async () => {
      const present = await this.#backUpPresent(discardPresent);
      const { id: newest } = await store.copyAsNewest({ order, of: id, present: present?.id });
      record("restore.ordered", { id, as: newest, ...(present && { present: present.id }) });
      await pendingRestore.giveUpState(order);
      return present;
    });
  }

  async #backUpPresent(discard: boolean): Promise<BackupManifest | undefined> {
    try {
      return await this.#o.maker.backUpPresent();
    } catch (error) {
      if (!discard) throw new BackupRefused(stateError(backupErrors.present_state_not_backed_up));
      this.#o.record("restore.present-discarded", { message: String(error) });
      return undefined;
    }
  }
}
