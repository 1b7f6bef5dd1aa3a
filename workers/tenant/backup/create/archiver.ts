/** Archives the state in the sandbox and stores the archive as a backup. */
import type { BackupManifest } from "#workers/contracts/tenant/backup.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import type { BackupStore } from "../stored/store.ts";

export interface ArchiverOptions {
  sandbox: Pick<SandboxPort, "createArchive" | "readArchive" | "removeArchive">;
  store: Pick<BackupStore, "write">;
  record: RecordEvent;
}

export class Archiver {
  readonly #o: ArchiverOptions;

  constructor(options: ArchiverOptions) {
    this.#o = options;
  }

  /**
   * Makes a backup.
   *
   * @param state the id that the state has
   * @param mark a new id for the state; default: it keeps its own
   */
  async backUp(createdAt: Date, state: string | undefined, mark: string | undefined): Promise<BackupManifest> {
    const { sandbox, store, record } = this.#o;
    const name = crypto.randomUUID();
    const archive = await sandbox.createArchive(name, mark);
    try {
      if (archive.state !== (mark ?? state)) throw new Error("the state was replaced while it was archived");
      const manifest = await store.write(createdAt, archive, await sandbox.readArchive(name));
      record("backup.complete", { id: manifest.id, bytes: archive.size, files: archive.files });
      if (archive.leftOut !== undefined) record("backup.left-out", archive.leftOut);
      return manifest;
    } finally {
      await sandbox.removeArchive(name).catch(() => {});
    }
  }
}
