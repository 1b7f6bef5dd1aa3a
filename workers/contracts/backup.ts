/**
 * What a tenant's bucket holds: `backups/{id}/archive.tar.gz` and, written last, `backups/{id}/manifest.json`. A backup
 * without a manifest does not exist. Ids sort by time.
 */
import { z } from "zod";
import { archiveInfo } from "./sandbox.ts";

/** Time between backups of a running gateway, in milliseconds. */
export const BACKUP_INTERVAL_MS = 15 * 60 * 1000;

export const BACKUP_PREFIX = "backups/";
export const ARCHIVE_FILE = "archive.tar.gz";
export const MANIFEST_FILE = "manifest.json";

/** Whose backup it is; it is never restored elsewhere. */
export const backupOwner = z.object({ tenant: z.string().min(1), environment: z.string().min(1) });
export type BackupOwner = z.infer<typeof backupOwner>;

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
});
