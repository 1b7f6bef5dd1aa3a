/** What became of a backup or a restore that was asked for, as it passes from the supervisor to whoever asked. */
import type { BackupManifest } from "#workers/contracts/tenant/backup.ts";
import { BackupRefused, NothingToBackUp } from "./refusal.ts";

/** `empty` when there is no state. */
export type BackupOutcome = { manifest: BackupManifest } | { refused: string; empty: boolean };

/** `present` is the backup of the state before, if there was any. */
export type RestoreOutcome =
  | { restored: string; present?: Pick<BackupManifest, "id"> }
  | { refused: string; missing?: never }
  | { missing: true; refused?: never };

/** A refusal as an outcome; every other error stays one, since errors lose their class on the way. */
export async function outcomeOf(backup: Promise<BackupManifest>): Promise<BackupOutcome> {
  try {
    return { manifest: await backup };
  } catch (error) {
    if (error instanceof BackupRefused) return { refused: error.message, empty: error instanceof NothingToBackUp };
    throw error;
  }
}
