/** What administrators are told of a tenant's backups. Pure. */
import type { BackupReport, BackupTrouble } from "#workers/contracts/backup.ts";
import type { StateInfo } from "#workers/contracts/sandbox.ts";
import { mayBackUp } from "./restore/status.ts";
import type { BackupListing } from "./stored/store.ts";
import type { StoredBackup } from "./stored/stored-backup.ts";

/** What helps where the disk has no room for the backup. */
const ROOM =
  "Give the tenant a larger plan, or its plan a larger container: it is tried again at once then. POST /api/admin/gateway/restart tries it as well.";
/** What helps where a newer gateway than the image's wrote the state. */
const NEWER_STATE =
  "Go back to an image with the gateway that wrote it, or a newer one: it is restored by the next call then. Or restore a backup of the image's version or an older one by POST /api/admin/gateway/restore.";

const listed = ({ id, createdAt, bytes, gateway }: StoredBackup) => ({
  id,
  createdAt: createdAt.toISOString(),
  bytes,
  ...(gateway && { gateway }),
});

/** A trouble with what helps. @param next when a restore is tried again that found no room */
function withRemedy(trouble: BackupTrouble, next: Date | undefined): NonNullable<BackupReport["trouble"]> {
  if (trouble.kind === "newer-state") return { ...trouble, remedy: NEWER_STATE };
  if (trouble.kind !== "no-room" || next === undefined) return trouble;
  return { ...trouble, remedy: ROOM, nextAttempt: next.toISOString() };
}

export interface Reported {
  listing: Pick<BackupListing, "own" | "damaged">;
  state: StateInfo;
  trouble: BackupTrouble | undefined;
  /** When a restore is tried again that found no room. */
  next: Date | undefined;
}

export function backupReportOf({ listing: { own, damaged }, state, trouble, next }: Reported): BackupReport {
  return {
    state: state.empty ? "empty" : mayBackUp(own, state) ? "known" : "unknown",
    ...(trouble && { trouble: withRemedy(trouble, next) }),
    backups: own.map(listed),
    damaged: damaged.map((backup) => ({ ...listed(backup), reason: backup.reason })),
  };
}
