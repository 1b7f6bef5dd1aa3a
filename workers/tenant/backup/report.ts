/** Reports a tenant's backups to its administrators. */
import {
  type BackupReport,
  type BackupTrouble,
  type ListedBackup,
  MAX_KEPT_BACKUPS,
} from "#workers/contracts/tenant/backup.ts";
import type { RestoreAttempts } from "./restore/attempts.ts";
import { mayBackUp } from "./restore/status.ts";
import type { StateReader } from "./state-reader.ts";
import { DAY_MS, type RetentionLimits } from "./stored/retention.ts";
import type { StoredBackup } from "./stored/stored-backup.ts";
import type { Troubles } from "./troubles.ts";

const NO_ROOM_REMEDY =
  "Choose a larger plan, or a larger container for the plan; the restore is retried immediately afterwards. POST /api/admin/gateway/restart retries it too.";
const NEWER_STATE_REMEDY =
  "Deploy an image with the gateway version that wrote the state, or a newer one; the next call restores it. Or restore a backup of the image's version or an older one by POST /api/admin/gateway/restore.";

const toEntry = ({ id, createdAt, bytes, gateway, origin, kept }: StoredBackup): ListedBackup => ({
  id,
  createdAt: createdAt.toISOString(),
  bytes,
  ...(gateway && { gateway }),
  ...(origin && { origin }),
  ...(kept && { kept }),
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
  retention: RetentionLimits;
}

/** Returns the backups and the current problem. @throws when the bucket or the sandbox cannot be read */
export async function backupReport({ reader, troubles, attempts, retention }: ReportParts): Promise<BackupReport> {
  const [{ listing, state }, trouble, next] = await Promise.all([reader.both(), troubles.current(), attempts.next()]);
  const { own, uploaded, damaged } = listing;
  const { count, ageMs, bytes } = retention;
  const listed = [...own, ...uploaded].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime());
  return {
    state: state.empty ? "empty" : mayBackUp(own, state) ? "known" : "unknown",
    ...(trouble && { trouble: withRemedy(trouble, next) }),
    backups: listed.map(toEntry),
    damaged: damaged.map((backup) => ({ ...toEntry(backup), reason: backup.reason })),
    retention: { count, days: ageMs / DAY_MS, ...(bytes !== undefined && { bytes }), kept: MAX_KEPT_BACKUPS },
  };
}
