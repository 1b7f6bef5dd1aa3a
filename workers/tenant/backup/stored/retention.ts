/** Selects expired and removable backups, by count, age and size. The newest complete backup and kept ones are never removed. */
import { newestWhole } from "../restore/status.ts";
import type { StoredBackup } from "./stored-backup.ts";

export interface RetentionLimits {
  count: number;
  ageMs: number;
  /** Total size of all archives; `undefined` for no limit. */
  bytes: number | undefined;
  /** Age at which a backup counts as missing, in milliseconds: the bucket is about to delete it. */
  expiryMs: number;
}

export const DAY_MS = 24 * 60 * 60 * 1000;

/** A day of backups at the default interval. */
export const DEFAULT_RETENTION: RetentionLimits = {
  count: 96,
  ageMs: 30 * DAY_MS,
  bytes: undefined,
  expiryMs: 365 * DAY_MS,
};

/** Age at which an archive without a manifest is removed, in milliseconds. */
export const ORPHAN_AGE_MS = 60 * 60 * 1000;

/** Returns the backups that are not expired. Expired backups are neither restored nor missed (spec: "RestoreStatus"). */
export function unexpired(backups: readonly StoredBackup[], now: Date, limits: RetentionLimits): StoredBackup[] {
  return backups.filter(({ createdAt, kept }) => kept || now.getTime() - createdAt.getTime() <= limits.expiryMs);
}

/** Returns the backups to remove. @param backups newest first */
export function beyondRetention(backups: readonly StoredBackup[], now: Date, limits: RetentionLimits): StoredBackup[] {
  const newest = newestWhole(backups);
  const isStaying = (backup: StoredBackup) => backup === newest || backup.kept === true;
  // The backups that are always kept count first.
  const staying = backups.filter(isStaying);
  let bytes = staying.reduce((sum, backup) => sum + backup.bytes, 0);
  let count = staying.length;
  let full = false;
  return backups.filter((backup) => {
    if (isStaying(backup)) return false;
    bytes += backup.bytes;
    count += 1;
    const old = now.getTime() - backup.createdAt.getTime() > limits.ageMs;
    // Once one does not fit, no older one is kept instead of it.
    full ||= old || count > limits.count || (limits.bytes !== undefined && bytes > limits.bytes);
    return full;
  });
}

/** Returns a kept backup whose objects the bucket would delete in time, the oldest first. */
export function expiringKept(backups: readonly StoredBackup[], now: Date, limits: RetentionLimits) {
  const age = ({ writtenAt }: StoredBackup) => now.getTime() - (writtenAt ?? now).getTime();
  return backups
    .filter((backup) => backup.kept && age(backup) > limits.expiryMs / 2)
    .sort((a, b) => age(b) - age(a))
    .at(0);
}
