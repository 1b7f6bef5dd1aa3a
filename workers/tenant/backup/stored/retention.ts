/** Which backups count and which go: by count, by age, by bytes; the oldest first, and never the last good one. Pure. */
import type { StoredBackup } from "./stored-backup.ts";

export interface RetentionLimits {
  count: number;
  /** In milliseconds. */
  ageMs: number;
  /** Bytes of all archives together; `undefined` for no limit. */
  bytes: number | undefined;
  /** Age at which even the last good one counts as gone, in milliseconds: the bucket is about to remove it. */
  expiryMs: number;
}

export const DAY_MS = 24 * 60 * 60 * 1000;

/** A day of backups at the default interval; none older than the bucket keeps by default. */
export const DEFAULT_RETENTION: RetentionLimits = {
  count: 96,
  ageMs: 30 * DAY_MS,
  bytes: undefined,
  expiryMs: 365 * DAY_MS,
};

/** An archive that has no manifest after this long never gets one, in milliseconds. */
export const ORPHAN_AGE_MS = 60 * 60 * 1000;

/** The backups that are not expired: the others are neither restored nor missed (spec: "RestoreStatus"). */
export function unexpired(backups: readonly StoredBackup[], now: Date, limits: RetentionLimits): StoredBackup[] {
  return backups.filter(({ createdAt }) => now.getTime() - createdAt.getTime() <= limits.expiryMs);
}

/**
 * The backups to remove.
 *
 * @param backups newest first
 */
export function beyondRetention(backups: readonly StoredBackup[], now: Date, limits: RetentionLimits): StoredBackup[] {
  const lastGood = backups.find(({ state }) => state !== undefined);
  // What is kept whatever the limits say counts first.
  let bytes = lastGood?.bytes ?? 0;
  let count = lastGood === undefined ? 0 : 1;
  let full = false;
  return backups.filter((backup) => {
    if (backup === lastGood) return false;
    bytes += backup.bytes;
    count += 1;
    const old = now.getTime() - backup.createdAt.getTime() > limits.ageMs;
    // Once one does not fit, none older is kept in its place.
    full ||= old || count > limits.count || (limits.bytes !== undefined && bytes > limits.bytes);
    return full;
  });
}
