/** Results of requested backups and restores. RPC does not preserve error classes, so refusals are values. */
import type { StatedError } from "#domain/errors/stated.ts";
import type { BackupManifest } from "#workers/contracts/tenant/backup.ts";
import { BackupRefused, NothingToBackUp } from "./errors.ts";

/** `empty` when no state exists. */
export type BackupOutcome = { manifest: BackupManifest } | { refused: StatedError; empty: boolean };

/** `present` is the backup of the replaced state, if one existed. */
export type RestoreOutcome =
  | { restored: string; present?: Pick<BackupManifest, "id"> }
  | { refused: StatedError; missing?: never }
  | { missing: true; refused?: never };

/** `missing` when no such backup exists. */
export type KeptOutcome = { kept: boolean } | { refused: StatedError } | { missing: true };

export type RemovalOutcome = { removed: string } | { refused: StatedError } | { missing: true };

/** Converts a refusal to an outcome. Other errors are thrown. */
export async function outcomeOf(backup: Promise<BackupManifest>): Promise<BackupOutcome> {
  try {
    return { manifest: await backup };
  } catch (error) {
    if (error instanceof BackupRefused) return { refused: error.stated, empty: error instanceof NothingToBackUp };
    throw error;
  }
}
