/**
 * Prepares the state for a start: finishes a restore that broke off, restores a backup into an empty sandbox, and has an older state backed
 * up before a newer gateway gets it.
 */
import type { RestoreStatus } from "#workers/contracts/tenant/health-snapshot.ts";
import { STATE_BACKUP_VARIABLE, type StateInfo } from "#workers/contracts/tenant/sandbox.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { PendingRestore } from "../restore/pending-restore.ts";
import type { Restored, Restorer } from "../restore/restorer.ts";
import { judgeRestore } from "../restore/status.ts";
import type { StateReader } from "../state-reader.ts";
import type { StoredBackup } from "../stored/stored-backup.ts";
import type { FailedUpgrade } from "../upgrade/failed-upgrade.ts";
import type { UpgradeBackup } from "../upgrade/upgrade-backup.ts";

export interface PreparationOptions {
  reader: Pick<StateReader, "backups" | "state">;
  restorer: Pick<Restorer, "restore">;
  pendingRestore: Pick<PendingRestore, "finish">;
  failedUpgrade: Pick<FailedUpgrade, "giveUp">;
  upgradeBackup: Pick<UpgradeBackup, "before">;
  record: RecordEvent;
}

export interface Prepared {
  status: RestoreStatus;
  /** For the startup script. */
  variables: Record<string, string>;
}

export class Preparation {
  readonly #o: PreparationOptions;

  constructor(options: PreparationOptions) {
    this.#o = options;
  }

  /** @throws Error when the state cannot be prepared: a start would hide a good backup, or damage a good state */
  async prepare(): Promise<Prepared> {
    const { reader, restorer, record } = this.#o;
    const listing = await reader.backups();
    const { own, foreign } = listing;
    if (foreign.length > 0) record("backup.of-another-owner", { ids: foreign });
    await this.#o.pendingRestore.finish(listing);
    const isUpgrading = await this.#o.failedUpgrade.giveUp(own);
    const state = await reader.state();
    const restored = state.empty ? await restorer.restore(own) : undefined;
    const status = await this.#statusOf(own, state, restored);
    if (status.hadBackup && !status.restored) record("restore.unconfirmed", {});
    const exists = !state.empty || (restored !== undefined && restored.outcome !== "none");
    const backup = exists && !isUpgrading ? await this.#o.upgradeBackup.before(own, state, restored) : undefined;
    return {
      status,
      variables: {
        // Only a state that follows on no backup may get a new id.
        ...(!status.hadBackup && { STATE_ID: crypto.randomUUID() }),
        ...(backup !== undefined && { [STATE_BACKUP_VARIABLE]: backup }),
      },
    };
  }

  async #statusOf(
    own: readonly StoredBackup[],
    state: StateInfo,
    restored: Restored | undefined,
  ): Promise<RestoreStatus> {
    if (restored === undefined) return judgeRestore(own, state);
    if (restored.outcome === "occupied") return judgeRestore(own, await this.#o.reader.state());
    // The restorer has set damaged backups aside.
    const isRestored = restored.outcome === "restored";
    return { hadBackup: isRestored, restored: isRestored };
  }
}
