import type { BackupOrigin } from "#workers/contracts/tenant/backup.ts";
import type { GatewayVersion } from "#workers/contracts/tenant/sandbox.ts";

/** A listed backup: one with a manifest. */
export interface StoredBackup {
  id: string;
  /** When the backup was created, or when its manifest was written if that is unknown. */
  createdAt: Date;
  /** Size of the archive in the bucket; 0 when it is missing. */
  bytes: number;
  /** Id of the state; `undefined` when the listing shows that the backup cannot be restored. */
  state: string | undefined;
  /** The gateway that wrote the state, if it is known. */
  gateway?: GatewayVersion | undefined;
  /** Set for a copy that a restore created as the newest backup. */
  restore?: OrderedRestore | undefined;
  /** Why it was made, if it is known. */
  origin?: BackupOrigin | undefined;
  /** Whether the retention does not remove it. */
  kept?: boolean;
  /** When its archive was written to the bucket. */
  writtenAt?: Date;
}

export interface OrderedRestore {
  order: string;
  /** Id of the chosen backup. */
  of: string;
  /** Id of the backup of the replaced state, if one existed. */
  present?: string | undefined;
}

/** A complete transfer of an archive between container and bucket. */
export interface Transfer {
  direction: "upload" | "download";
  operation: "backup" | "restore";
  bytes: number;
}

/** The reason for a damaged backup whose archive was altered. */
export const CHECKSUM_MISMATCH = "its archive does not match the checksum in its manifest";
