/**
 * Prepares the state for a start: finishes an interrupted restore, restores a backup into an empty sandbox, and backs up an older state before
 * a newer gateway upgrades it.
 */
import type { RestoreStatus } from "#workers/contracts/tenant/health-snapshot.ts";
import { STATE_BACKUP_VARIABLE, type StateInfo } from "#workers/contracts/tenant/sandbox.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { PendingRestore } from "../restore/pending-restore.ts";
import type { Restored, Restorer } from "../restore/restorer.ts";
import { restoreStatusOf } from "../restore/status.ts";
import type { UnexpectedRestores } from "../restore/unexpected-restores.ts";
import type { StateReader } from "../state-reader.ts";
import type { StoredBackup } from "../stored/stored-backup.ts";
import { type FailedUpgradeParts, giveUpFailedUpgrade } from "../upgrade/failed-upgrade.ts";
import { backUpBeforeUpgrade, type UpgradeBackupParts } from "../upgrade/upgrade-backup.ts";

export type PreparationParts = FailedUpgradeParts &
  UpgradeBackupParts & {
    reader: Pick<StateReader, "backups" | "state">;
    restorer: Pick<Restorer, "restore">;
    pendingRestore: Pick<PendingRestore, "finish">;
    unexpected: Pick<UnexpectedRestores, "recordRestore" | "forget">;
    /** As in `RestorerOptions`, for a new state. */
    onStateLost: () => void;
    record: RecordEvent;
  };

export interface PreparedState {
  status: RestoreStatus;
  /** Environment variables for the startup script. */
  variables: Record<string, string>;
}

/** @throws Error when a start would hide a good backup or damage a good state */
export async function prepareState(parts: PreparationParts): Promise<PreparedState> {
  const { reader, restorer, record } = parts;
  const listing = await reader.backups();
  const { own, foreign } = listing;
  if (foreign.length > 0) record("backup.of-another-owner", { ids: foreign });
  await parts.pendingRestore.finish(listing);
  const isUpgrading = await giveUpFailedUpgrade(parts, own);
  const state = await reader.state();
  const restored = state.empty ? await restorer.restore(own) : undefined;
  if (restored?.outcome === "none") parts.onStateLost();
  await recordRestored(parts, restored, own);
  const status = await statusAfter(restored, own, state, reader);
  if (status.hadBackup && !status.restored) record("restore.unconfirmed", {});
  const exists = !state.empty || (restored !== undefined && restored.outcome !== "none");
  const backup = exists && !isUpgrading ? await backUpBeforeUpgrade(parts, own, state, restored) : undefined;
  return {
    status,
    variables: {
      // Only a state without an earlier backup may get a new id.
      ...(!status.hadBackup && { STATE_ID: crypto.randomUUID() }),
      ...(backup !== undefined && { [STATE_BACKUP_VARIABLE]: backup }),
    },
  };
}

async function recordRestored(
  { unexpected }: PreparationParts,
  restored: Restored | undefined,
  own: readonly StoredBackup[],
): Promise<void> {
  if (restored === undefined || restored.outcome === "occupied") return unexpected.forget();
  const id = restored.outcome === "restored" ? restored.id : undefined;
  await unexpected.recordRestore(own.find((backup) => backup.id === id));
}

async function statusAfter(
  restored: Restored | undefined,
  own: readonly StoredBackup[],
  state: StateInfo,
  reader: Pick<StateReader, "state">,
): Promise<RestoreStatus> {
  if (restored === undefined) return restoreStatusOf(own, state);
  if (restored.outcome === "occupied") return restoreStatusOf(own, await reader.state());
  // The restorer has marked damaged backups, which no longer count.
  const isRestored = restored.outcome === "restored";
  return { hadBackup: isRestored, restored: isRestored };
}
