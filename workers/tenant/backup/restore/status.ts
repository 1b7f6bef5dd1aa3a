/** Whether a state is that of the tenant's newest backup (spec: "RestoreStatus"). Pure. */
import type { RestoreStatus } from "#workers/contracts/tenant/health-snapshot.ts";
import type { StateInfo } from "#workers/contracts/tenant/sandbox.ts";
import type { StoredBackup } from "../stored/stored-backup.ts";

/** `undefined` when the backup bucket could not be read. */
export type KnownRestore = RestoreStatus | undefined;

/** The newest backup that its listing shows as whole. */
export function newestWhole(own: readonly StoredBackup[]): StoredBackup | undefined {
  return own.find(({ state }) => state !== undefined);
}

/**
 * A state that carries the id of the newest whole backup was restored from it, or is the one it was made of, and newer.
 *
 * @param own the tenant's backups, newest first
 */
export function judgeRestore(own: readonly StoredBackup[], state: StateInfo): RestoreStatus {
  const newest = newestWhole(own);
  return { hadBackup: own.length > 0, restored: newest !== undefined && !state.empty && state.id === newest.state };
}

/** Whether a backup of this state would hide no other: it is known, and what is backed up is of it. */
export function mayBackUp(own: readonly StoredBackup[], state: StateInfo): boolean {
  return !state.empty && state.id !== undefined && (own.length === 0 || judgeRestore(own, state).restored);
}
