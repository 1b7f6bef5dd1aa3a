/** Replaces the present state by a chosen backup. The present state is backed up first. */
import type { BackupManifest } from "#workers/contracts/tenant/backup.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { BackupCleanup } from "../create/cleanup.ts";
import type { BackupMaker } from "../create/maker.ts";
import { BackupRefused } from "../errors.ts";
import type { BackupStore } from "../stored/store.ts";
import type { OrderedRestore } from "../stored/stored-backup.ts";
import type { PendingRestore } from "./pending-restore.ts";

export interface RequestedRestore {
  /** Id of the backup. */
  id: string;
  /** Continues when the present state cannot be backed up. */
  discardPresent: boolean;
  /** Identifies the order. */
  order: string;
}

export interface StateReplacementOptions {
  store: Pick<BackupStore, "list" | "copyAsNewest">;
  maker: Pick<BackupMaker, "settle" | "backUpPresent">;
  cleanup: Pick<BackupCleanup, "suspendDuring">;
  pending: Pick<PendingRestore, "giveUpState" | "isFinished">;
  record: RecordEvent;
}

export class StateReplacement {
  readonly #o: StateReplacementOptions;

  constructor(options: StateReplacementOptions) {
    this.#o = options;
  }

  /**
   * Carries out an order after the gateway has ended. The sandbox sleeps afterwards, and the next start restores the backup. Once the copy is
   * the newest backup, the next start or backup finishes an interrupted restore.
   *
   * @returns the backup of the present state, if one existed
   * @throws BackupRefused when the present state cannot be backed up, before any change
   */
  async replace({ id, discardPresent, order }: RequestedRestore): Promise<BackupManifest | undefined> {
    await this.#o.maker.settle();
    return this.#o.cleanup.suspendDuring(async () => {
      const present = await this.#backUpPresent(discardPresent);
      const { id: newest } = await this.#o.store.copyAsNewest({ order, of: id, present: present?.id });
      this.#o.record("restore.ordered", { id, as: newest, ...(present && { present: present.id }) });
      await this.#o.pending.giveUpState(order);
      return present;
    });
  }

  /** Finds an earlier restore of the same order. @returns `isFinished: false` when it was interrupted and the next start finishes it */
  async findEarlier(order: string): Promise<(OrderedRestore & { isFinished: boolean }) | undefined> {
    const { own, damaged } = await this.#o.store.list();
    const copy = [...own, ...damaged].find(({ restore }) => restore?.order === order);
    if (copy?.restore === undefined) return undefined;
    return { ...copy.restore, isFinished: copy !== own[0] || (await this.#o.pending.isFinished(order)) };
  }

  async #backUpPresent(discard: boolean): Promise<BackupManifest | undefined> {
    try {
      return await this.#o.maker.backUpPresent();
    } catch (error) {
      if (!discard)
        throw new BackupRefused(
          'Nothing was changed, because the present state could not be backed up. GET /api/admin/gateway/log gives the reason. To delete the present state, send "discardPresent": true.',
        );
      this.#o.record("restore.present-discarded", { message: String(error) });
      return undefined;
    }
  }
}
