/**
 * Objects in a tenant's bucket: `backups/{id}/archive.tar.gz` and, written last, `backups/{id}/manifest.json`. A backup without a manifest does
 * not exist. IDs sort by time.
 */
import * as z from "zod";
import { BACKUP_INTERVAL_SECONDS } from "#domain/plans/plans.ts";
import { archiveInfo, gatewayVersion } from "./sandbox.ts";

/** Default interval between backups of a running gateway, in milliseconds. */
export const BACKUP_INTERVAL_MS = BACKUP_INTERVAL_SECONDS * 1000;

export const BACKUP_PREFIX = "backups/";
export const ARCHIVE_FILE = "archive.tar.gz";
export const MANIFEST_FILE = "manifest.json";
/** Marks a backup that cannot be restored, with the reason in its custom metadata. It is ignored, and stays for an operator. */
export const DAMAGE_FILE = "damaged.json";
/** Marks a backup that the retention does not remove. */
export const KEPT_FILE = "kept.json";
/** Uploaded backups are apart: earlier versions of the Worker would take one for the newest state. */
export const UPLOAD_PREFIX = "uploads/";

/** A backup is only restored to its owner. */
export const backupOwner = z.object({ tenant: z.string().min(1), environment: z.string().min(1) });
export type BackupOwner = z.infer<typeof backupOwner>;

export const backupId = z.string().regex(/^[\w-]{1,200}$/, "must be the ID of a backup");

/** Why a backup was made. `before_stop`: its container was about to be replaced or removed. `restored`: the copy of a restored backup. */
export const backupReasons = [
  "scheduled",
  "requested",
  "accepted",
  "before_upgrade",
  "before_restore",
  "before_sleep",
  "before_stop",
  "restored",
  "uploaded",
] as const;

/** E-mail address and role of a person, or the name of a service token. */
export const requester = z.object({ by: z.string().max(400), role: z.string().max(40) });
export type Requester = z.infer<typeof requester>;

/** Reason of a backup, with the person for one that was requested or uploaded. */
export const backupOrigin = requester.partial().extend({ reason: z.enum(backupReasons) });
export type BackupOrigin = z.infer<typeof backupOrigin>;

export const backupManifest = z.object({
  version: z.literal(1),
  id: z.string(),
  owner: backupOwner,
  /** ISO 8601 UTC. */
  createdAt: z.iso.datetime(),
  archive: archiveInfo,
  /** Absent in backups of earlier versions. An unknown one must not make the backup unreadable. */
  origin: backupOrigin.optional().catch(undefined),
});
export type BackupManifest = z.infer<typeof backupManifest>;

/** Custom metadata of a manifest, for listings that do not read each manifest. */
export const manifestMetadata = z.object({
  tenant: z.string(),
  environment: z.string(),
  createdAt: z.iso.datetime(),
  size: z.coerce.number().int().nonnegative(),
  state: z.string(),
  /** The gateway that wrote the state; absent if unknown. */
  gateway: z.string().optional(),
  gatewayVersion: z.string().optional(),
  /** For the copy that a restore creates: the order, the original backup, and the backup of the previous state, if any. */
  restoreOrder: z.string().optional(),
  restoreOf: z.string().optional(),
  restorePresent: z.string().optional(),
  /** Origin, percent-encoded. */
  reason: z.enum(backupReasons).optional().catch(undefined),
  by: z.string().optional(),
  role: z.string().optional(),
});
export type ManifestMetadata = z.infer<typeof manifestMetadata>;

/** A problem that prevents backups or restores. */
export const backupTrouble = z.object({
  /**
   * `refused`: the state must not be backed up. `failed`: the backup failed. `no-room`: the disk is too small for the backup. `newer-state`: a
   * newer gateway than the image's wrote the state.
   */
  kind: z.enum(["refused", "failed", "no-room", "newer-state"]),
  reason: z.string(),
  /** ISO 8601 UTC. */
  since: z.iso.datetime(),
});
const troubleAhead = z.object({ remedy: z.string(), nextAttempt: z.iso.datetime() });
export type BackupTrouble = z.infer<typeof backupTrouble>;

/** A failure in the metric `backup_failures`. `damaged`: a damaged backup was found. */
export type BackupFailure = BackupTrouble["kind"] | "damaged";

const listedBackup = z.object({
  id: z.string(),
  createdAt: z.iso.datetime(),
  bytes: z.number().int().nonnegative(),
  /** The gateway that wrote the state; absent if unknown. */
  gateway: gatewayVersion.optional(),
  /** Absent if unknown. */
  origin: backupOrigin.optional(),
  /** Set for a backup that the retention does not remove. */
  kept: z.boolean().optional(),
});
export type ListedBackup = z.infer<typeof listedBackup>;

/** Limits of the retention, by which backups are removed. */
const retention = z.object({
  count: z.number().int().positive(),
  days: z.number().positive(),
  /** Total size of all backups; absent for no limit. */
  bytes: z.number().int().positive().optional(),
  /** Most kept backups. */
  kept: z.number().int().positive(),
});

/** What the state has that a backup does not. */
export const changesSince = z.object({
  count: z.number().int().nonnegative(),
  /** The newest ones. */
  first: z.array(z.object({ path: z.string(), modifiedAt: z.iso.datetime() })),
});
export type ChangesSince = z.infer<typeof changesSince>;

/** Response of `GET /api/admin/gateway/backups`. */
export const backupReport = z.object({
  /** `known`: can be backed up. `unknown`: may not continue the newest backup. `empty`: no state. */
  state: z.enum(["known", "unknown", "empty"]),
  /** `no-room` and `newer-state` have a remedy. */
  trouble: backupTrouble.extend(troubleAhead.partial().shape).optional(),
  /** Newest first. */
  backups: z.array(listedBackup),
  /** Damaged backups, newest first. */
  damaged: z.array(listedBackup.extend({ reason: z.string() })),
  /** Absent from tenants' Workers of earlier versions. */
  retention: retention.optional(),
});
export type BackupReport = z.infer<typeof backupReport>;

/** Request body of `POST /api/admin/gateway/restore`. */
export const restoreOrder = z.object({
  backup: backupId,
  /** Discards the current state if it cannot be backed up. */
  discardPresent: z.boolean().default(false),
  /** Idempotency key: a completed order returns its first response. Default: a new one. */
  order: z.uuid().optional(),
});
export type RestoreOrder = z.infer<typeof restoreOrder>;

/** Optional request body of the dispatch Worker's `POST /_restore/:slug/:backup`. */
export const dispatchedRestore = z.strictObject(restoreOrder.omit({ backup: true }).shape);

/** The backup that the next start restores, and the backup of the previous state, if any. */
export const restoreAnswered = z.object({ restored: backupId, present: z.object({ id: backupId }).optional() });

/** Request body of `PUT /api/admin/gateway/backups/:id/kept`. */
export const keptOrder = z.object({ kept: z.boolean() });

/** Most backups that a tenant keeps beyond the retention. */
export const MAX_KEPT_BACKUPS = 5;

/** Cloudflare accepts no larger request on its smaller plans. */
export const MAX_UPLOAD_BYTES = 100_000_000;
/** Most uploaded backups at a time. */
export const MAX_UPLOADS = 5;
/** Start of the ids of uploaded backups. */
export const UPLOAD_ID = "upload-";

export const ADMIN_BACKUPS_PATH = "/api/admin/gateway/backups";

/** Path of a backup's archive. */
export const backupPath = (id: string): string => `${ADMIN_BACKUPS_PATH}/${id}`;
export const keptPath = (id: string): string => `${backupPath(id)}/kept`;
export const changesPath = (id: string): string => `${backupPath(id)}/changes`;

/** Whether a request exports a tenant's data, which a frozen tenant permits too. */
export function isExport(method: string, pathname: string): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return pathname === ADMIN_BACKUPS_PATH || pathname.startsWith(`${ADMIN_BACKUPS_PATH}/`);
}
