/** Reports a tenant's backups to its administrators. */
import type { BackupReport, BackupTrouble } from "#workers/contracts/tenant/backup.ts";
import type { RestoreAttempts } from "./restore/attempts.ts";
import { mayBackUp } from "./restore/status.ts";
import type { StateReader } from "./state-reader.ts";
import type { StoredBackup } from "./stored/stored-backup.ts";
import type { Troubles } from "./troubles.ts";

const NO_ROOM_REMEDY =
  "Choose a larger plan, or a larger container for the plan; the restore is retried immediately afterwards. POST /api/admin/gateway/restart retries it too.";
const NEWER_STATE_REMEDY =
  "Deploy an image with the gateway version that wrote the state, or a newer one; the next call restores it. Or restore a backup of the image's version or an older one by POST /api/admin/gateway/restore.";

const toEntry = ({ id, createdAt, bytes, gateway }: StoredBackup) => ({
  id,
  createdAt: createdAt.toISOString(),
  bytes,
  ...(gateway && { gateway }),
});

/** @param nextAttempt when a restore without room is tried again */
function withRemedy(trouble: BackupTrouble, nextAttempt: Date | undefined): NonNullable<BackupReport["trouble"]> {
  if (trouble.kind === "newer-state") return { ...trouble, remedy: NEWER_STATE_REMEDY };
  if (trouble.kind !== "no-room" || nextAttempt === undefined) return trouble;
  return { ...trouble, remedy: NO_ROOM_REMEDY, nextAttempt: nextAttempt.toISOString() };
}

export interface ReportParts {
  reader: Pick<StateReader, "both">;
  troubles: Pick<Troubles, "current">;
  attempts: Pick<RestoreAttempts, "next">;
}

/** Returns the backups and the current problem. @throws when the bucket or the sandbox cannot be read */
export async function backupReport({ reader, troubles, attempts }: ReportParts): Promise<BackupReport> {
  const [{ listing, state }, trouble, next] = await Promise.all([reader.both(), troubles.current(), attempts.next()]);
  const { own, damaged } = listing;
  return {
    state: state.empty ? "empty" : mayBackUp(own, state) ? "known" : "unknown",
    ...(trouble && { trouble: withRemedy(trouble, next) }),
    backups: own.map(toEntry),
    damaged: damaged.map((backup) => ({ ...toEntry(backup), reason: backup.reason })),
  };
}
