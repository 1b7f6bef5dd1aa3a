/**
 * What a tenant's bucket holds: `backups/{id}/archive.tar.gz` and, written last, `backups/{id}/manifest.json`. A backup
 * without a manifest does not exist. Ids sort by time.
 */
import * as z from "zod";
import { BACKUP_INTERVAL_SECONDS } from "#domain/plans/plans.ts";
import { archiveInfo, gatewayVersion } from "./sandbox.ts";

/** Time between backups of a running gateway whose plan sets no other, in milliseconds. */
export const BACKUP_INTERVAL_MS = BACKUP_INTERVAL_SECONDS * 1000;

export const BACKUP_PREFIX = "backups/";
export const ARCHIVE_FILE = "archive.tar.gz";
export const MANIFEST_FILE = "manifest.json";
/** Beside a manifest: the backup cannot be restored, for the reason in its custom metadata. It counts for none, and is kept for an operator. */
export const DAMAGE_FILE = "damaged.json";

/** Whose backup it is; it is never restored elsewhere. */
export const backupOwner = z.object({ tenant: z.string().min(1), environment: z.string().min(1) });
export type BackupOwner = z.infer<typeof backupOwner>;

/** As the tenant Worker gives ids. */
export const backupId = z.string().regex(/^[\w-]{1,200}$/, "is no backup's id");

export const backupManifest = z.object({
  version: z.literal(1),
  id: z.string(),
  owner: backupOwner,
  /** ISO 8601 UTC. */
  createdAt: z.iso.datetime(),
  archive: archiveInfo,
});
export type BackupManifest = z.infer<typeof backupManifest>;

/** The manifest object's custom metadata: what a listing tells without reading each manifest. */
export const manifestMetadata = z.object({
  tenant: z.string(),
  environment: z.string(),
  createdAt: z.iso.datetime(),
  size: z.coerce.number().int().nonnegative(),
  state: z.string(),
  /** Name and version of the gateway that wrote the state; absent where it did not tell. */
  gateway: z.string().optional(),
  gatewayVersion: z.string().optional(),
  /** Of a copy that a restore made the newest: the order, the backup that it is a copy of, and the one of the state before, if there was any. */
  restoreOrder: z.string().optional(),
  restoreOf: z.string().optional(),
  restorePresent: z.string().optional(),
});

/** What keeps backups from being made or restored. */
export const backupTrouble = z.object({
  /**
   * `refused`: the state may not be backed up. `failed`: it could not be. `no-room`: the disk is too small for the backup. `newer-state`: a
   * newer gateway than the image's wrote the state.
   */
  kind: z.enum(["refused", "failed", "no-room", "newer-state"]),
  /** What was last said of it. */
  reason: z.string(),
  /** ISO 8601 UTC. */
  since: z.iso.datetime(),
});
/** What helps, and when it is tried again by itself. */
const troubleAhead = z.object({ remedy: z.string(), nextAttempt: z.iso.datetime() });
export type BackupTrouble = z.infer<typeof backupTrouble>;

/** A backup or a restore that came to nothing, as `backup_failures` counts them; `damaged`: a backup was found to be so. */
export type BackupFailure = BackupTrouble["kind"] | "damaged";

const listedBackup = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  bytes: z.number().int().nonnegative(),
  /** Which gateway wrote the state; absent where it did not tell. */
  gateway: gatewayVersion.optional(),
});

/** The answer of `GET /api/admin/gateway/backups`. */
export const backupReport = z.object({
  /** `known`: it may be backed up. `unknown`: nobody can tell that it follows on the newest backup. `empty`: there is none. */
  state: z.enum(["known", "unknown", "empty"]),
  /** Of `no-room` and `newer-state` what helps is told as well. */
  trouble: backupTrouble.extend(troubleAhead.partial().shape).optional(),
  /** Newest first. */
  backups: z.array(listedBackup),
  /** Backups that were found damaged and set aside, newest first. */
  damaged: z.array(listedBackup.extend({ reason: z.string() })),
});
export type BackupReport = z.infer<typeof backupReport>;

/** The body of `POST /api/admin/gateway/restore`. */
export const restoreOrder = z.object({
  backup: backupId,
  /** Gives the present state up for good if it cannot be backed up first. */
  discardPresent: z.boolean().default(false),
  /** Names the order: one that was carried out is not carried out again, but answered as it was. Default: a name of its own. */
  order: z.uuid().optional(),
});
export type RestoreOrder = z.infer<typeof restoreOrder>;

/** The body of the dispatch Worker's `POST /_restore/:slug/:backup`, which may be left out. */
export const dispatchedRestore = z.strictObject(restoreOrder.omit({ backup: true }).shape);

/** The answer: which backup is restored by the next start, and as which one the state before is kept, if there was any. */
export const restoreAnswered = z.object({ restored: backupId, present: z.object({ id: backupId }).optional() });

/** Where an administrator lists backups. */
export const ADMIN_BACKUPS_PATH = "/api/admin/gateway/backups";

/** Where an administrator downloads a backup's archive. */
export const backupPath = (id: string): string => `${ADMIN_BACKUPS_PATH}/${id}`;

/** Whether a request takes a tenant's data out, which holds while it is frozen too. */
export function isExport(method: string, pathname: string): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return pathname === ADMIN_BACKUPS_PATH || pathname.startsWith(`${ADMIN_BACKUPS_PATH}/`);
}
