/**
 * Finishes a restore whose backup is the newest already: gives up the present state, so that the next start restores the backup. Also
 * finishes one that broke off.
 */
import type { RecordEvent } from "../../event-log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import type { BackupListing } from "../stored/store.ts";
import type { StateUpgrade } from "../upgrade/state-upgrade.ts";
import type { RestoreAttempts } from "./attempts.ts";
import type { LastOrder } from "./last-order.ts";
import type { RestoreStatusCache } from "./status-cache.ts";

export interface PendingRestoreOptions {
  sandbox: Pick<SandboxPort, "sleep">;
  status: Pick<RestoreStatusCache, "forget">;
  upgrade: Pick<StateUpgrade, "forget" | "retry">;
  attempts: Pick<RestoreAttempts, "forget">;
  lastOrder: LastOrder;
  record: RecordEvent;
}

export class PendingRestore {
  readonly #o: PendingRestoreOptions;

  constructor(options: PendingRestoreOptions) {
    this.#o = options;
  }

  /** Finishes the restore that made the newest backup, if it broke off. @returns whether it did */
  async finish({ own: [newest] }: Pick<BackupListing, "own">): Promise<boolean> {
    if (newest?.restore === undefined || (await this.isFinished(newest.restore.order))) return false;
    this.#o.record("restore.gone-on", { as: newest.id });
    await this.giveUpState(newest.restore.order);
    return true;
  }

  isFinished(order: string): Promise<boolean> {
    return this.#o.lastOrder.is(order);
  }

  /** Gives up the present state for the newest backup. The sandbox sleeps afterwards. */
  async giveUpState(order: string): Promise<void> {
    const { sandbox, status, upgrade, lastOrder } = this.#o;
    await sandbox.sleep();
    status.forget();
    await upgrade.forget();
    await this.retry();
    await lastOrder.set(order);
  }

  /** Allows another attempt at once after a restore without room or a failed upgrade. */
  async retry(): Promise<void> {
    await this.#o.attempts.forget();
    await this.#o.upgrade.retry();
  }
}
