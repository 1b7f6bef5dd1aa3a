/** Replaces the present state with a chosen backup. The present state is backed up first. */
import type { BackupManifest } from "#workers/contracts/tenant/backup.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { BackupCleanup } from "../create/cleanup.ts";
import type { BackupMaker } from "../create/maker.ts";
import { BackupRefused } from "../refusal.ts";
import type { BackupStore } from "../stored/store.ts";
import type { OrderedRestore } from "../stored/stored-backup.ts";
import type { PendingRestore } from "./pending-restore.ts";

/** A requested restore. */
export interface WantedRestore {
  /** Of the backup. */
  id: string;
  /** Goes on when the present state cannot be backed up. */
  discardPresent: boolean;
  /** Identifies the order, which is carried out once. */
  order: string;
}

export interface StateReplacementOptions {
  store: Pick<BackupStore, "list" | "renew">;
  maker: Pick<BackupMaker, "settled" | "backUpPresent">;
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
   * Carries out an order. The gateway has ended before. The sandbox sleeps afterwards, and the next start restores the backup. Once the
   * backup is the newest, the next start or backup finishes a restore that broke off.
   *
   * @returns the backup of the present state, if there was a state
   * @throws BackupRefused when the present state cannot be backed up; nothing has changed then
   */
  async replace({ id, discardPresent, order }: WantedRestore): Promise<BackupManifest | undefined> {
    await this.#o.maker.settled();
    return this.#o.cleanup.suspendDuring(async () => {
      const present = await this.#backUpPresent(discardPresent);
      const { id: newest } = await this.#o.store.renew({ order, of: id, present: present?.id });
      this.#o.record("restore.ordered", { id, as: newest, ...(present && { present: present.id }) });
      await this.#o.pending.giveUpState(order);
      return present;
    });
  }

  /** An earlier restore of the same order. @returns `isOver: false` when it broke off and the next start finishes it */
  async ordered(order: string): Promise<(OrderedRestore & { isOver: boolean }) | undefined> {
    const { own, damaged } = await this.#o.store.list();
    const copy = [...own, ...damaged].find(({ restore }) => restore?.order === order);
    if (copy?.restore === undefined) return undefined;
    return { ...copy.restore, isOver: copy !== own[0] || (await this.#o.pending.isFinished(order)) };
  }

  async #backUpPresent(discard: boolean): Promise<BackupManifest | undefined> {
    try {
      return await this.#o.maker.backUpPresent();
    } catch (error) {
      if (!discard)
        throw new BackupRefused(
          'The present state could not be backed up, so it stays; GET /api/admin/gateway/log says why. To give it up for good, send "discardPresent": true.',
        );
      this.#o.record("restore.present-discarded", { message: String(error) });
      return undefined;
    }
  }
}
