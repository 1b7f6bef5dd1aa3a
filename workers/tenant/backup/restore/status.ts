/** Compares a state with the tenant's newest backup (spec: "RestoreStatus"). */
import type { RestoreStatus } from "#workers/contracts/tenant/health-snapshot.ts";
import type { StateInfo } from "#workers/contracts/tenant/sandbox.ts";
import type { StoredBackup } from "../stored/stored-backup.ts";

/** `undefined` when the backup bucket could not be read. */
export type KnownRestore = RestoreStatus | undefined;

/** Returns the newest backup that is complete according to the listing. */
export function newestWhole(own: readonly StoredBackup[]): StoredBackup | undefined {
  return own.find(({ state }) => state !== undefined);
}

/**
 * A state with the id of the newest complete backup was restored from it, or the backup was made of it.
 *
 * @param own the tenant's backups, newest first
 */
export function restoreStatusOf(own: readonly StoredBackup[], state: StateInfo): RestoreStatus {
  const newest = newestWhole(own);
  return { hadBackup: own.length > 0, restored: newest !== undefined && !state.empty && state.id === newest.state };
}

/** Whether a backup of this state would hide no backup of another state. */
export function mayBackUp(own: readonly StoredBackup[], state: StateInfo): boolean {
  return !state.empty && state.id !== undefined && (own.length === 0 || restoreStatusOf(own, state).restored);
}
