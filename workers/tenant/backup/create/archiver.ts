import type { BackupManifest, BackupOrigin } from "#workers/contracts/tenant/backup.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import type { BackupStore } from "../stored/store.ts";

export interface ArchiverParts {
  sandbox: Pick<SandboxPort, "createArchive" | "readArchive" | "removeArchive">;
  store: Pick<BackupStore, "write">;
  record: RecordEvent;
}

/**
 * Archives the state in the sandbox and stores the archive as a backup.
 *
 * @param state the id of the state
 * @param newState a new id for the state. Default: unchanged
 * @param origin why
 */
export async function archiveState(
  { sandbox, store, record }: ArchiverParts,
  createdAt: Date,
  state: string | undefined,
  newState: string | undefined,
  origin: BackupOrigin,
): Promise<BackupManifest> {
  const name = crypto.randomUUID();
  const archive = await sandbox.createArchive(name, newState);
  try {
    if (archive.state !== (newState ?? state)) throw new Error("The state was replaced while it was archived.");
    const manifest = await store.write(createdAt, archive, await sandbox.readArchive(name), origin);
    record("backup.complete", { id: manifest.id, bytes: archive.size, files: archive.files });
    if (archive.leftOut !== undefined) record("backup.left-out", archive.leftOut);
    return manifest;
  } finally {
    await sandbox.removeArchive(name).catch(() => {});
  }
}
