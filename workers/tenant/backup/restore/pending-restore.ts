/** Finishes a restore whose backup is already the newest: gives up the present state, so that the next start restores the backup. */
import type { RecordEvent } from "../../event-log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import type { KeyValueStorage } from "../../storage.ts";
import type { BackupListing } from "../stored/store.ts";
import type { StateUpgrade } from "../upgrade/state-upgrade.ts";
import type { RestoreAttempts } from "./attempts.ts";
import type { RestoreStatusCache } from "./status-cache.ts";
import type { UnexpectedRestores } from "./unexpected-restores.ts";

/** The order of the last finished restore. */
const KEY = "restore-order";

export interface PendingRestoreOptions {
  storage: KeyValueStorage;
  sandbox: Pick<SandboxPort, "sleep">;
  status: Pick<RestoreStatusCache, "forget">;
  upgrade: Pick<StateUpgrade, "forget" | "retry">;
  attempts: Pick<RestoreAttempts, "forget">;
  unexpected: Pick<UnexpectedRestores, "forget">;
  record: RecordEvent;
}

export class PendingRestore {
  readonly #o: PendingRestoreOptions;

  constructor(options: PendingRestoreOptions) {
    this.#o = options;
  }

  /** Finishes the restore that created the newest backup, if it was interrupted. @returns whether it was */
  async finish({ own: [newest] }: Pick<BackupListing, "own">): Promise<boolean> {
    if (newest?.restore === undefined || (await this.isFinished(newest.restore.order))) return false;
    this.#o.record("restore.gone-on", { as: newest.id });
    await this.giveUpState(newest.restore.order);
    return true;
  }

  async isFinished(order: string): Promise<boolean> {
    return (await this.#o.storage.get(KEY)) === order;
  }

  /** Gives up the present state for the newest backup. The sandbox sleeps afterwards. */
  async giveUpState(order: string): Promise<void> {
    const { storage, sandbox, status, upgrade, unexpected } = this.#o;
    await sandbox.sleep();
    status.forget();
    await upgrade.forget();
    await unexpected.forget();
    await this.retry();
    await storage.put(KEY, order);
  }

  /** Permits another attempt immediately after a restore without room or a failed upgrade. */
  async retry(): Promise<void> {
    await this.#o.attempts.forget();
    await this.#o.upgrade.retry();
  }
}
