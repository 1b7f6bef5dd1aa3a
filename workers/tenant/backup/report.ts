/** Reports a tenant's backups to its administrators. */
import type { BackupReport, BackupTrouble } from "#workers/contracts/tenant/backup.ts";
import type { StateInfo } from "#workers/contracts/tenant/sandbox.ts";
import type { RestoreAttempts } from "./restore/attempts.ts";
import { mayBackUp } from "./restore/status.ts";
import type { StateReader } from "./state-reader.ts";
import type { BackupListing } from "./stored/store.ts";
import type { StoredBackup } from "./stored/stored-backup.ts";
import type { Troubles } from "./troubles.ts";

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

export interface BackupReporterOptions {
  reader: Pick<StateReader, "both">;
  troubles: Pick<Troubles, "current">;
  attempts: Pick<RestoreAttempts, "next">;
}

export class BackupReporter {
  readonly #o: BackupReporterOptions;

  constructor(options: BackupReporterOptions) {
    this.#o = options;
  }

  /** The backups, and the present trouble. @throws when the bucket or the sandbox cannot be read */
  async report(): Promise<BackupReport> {
    const [{ listing, state }, trouble, next] = await Promise.all([
      this.#o.reader.both(),
      this.#o.troubles.current(),
      this.#o.attempts.next(),
    ]);
    return reportOf(listing, state, trouble, next);
  }
}

/** @param next when a restore that found no room is tried again */
function reportOf(
  { own, damaged }: BackupListing,
  state: StateInfo,
  trouble: BackupTrouble | undefined,
  next: Date | undefined,
): BackupReport {
  return {
    state: state.empty ? "empty" : mayBackUp(own, state) ? "known" : "unknown",
    ...(trouble && { trouble: withRemedy(trouble, next) }),
    backups: own.map(listed),
    damaged: damaged.map((backup) => ({ ...listed(backup), reason: backup.reason })),
  };
}
