/** Restores a tenant's newest backup into an empty sandbox, and sets aside those that turn out to be damaged. */
import type { BackupFailure, BackupTrouble } from "../../contracts/backup.ts";
import type { ArchiveInfo, RestoreAnswer } from "../../contracts/sandbox.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import { OTHER_BYTES } from "./damage.ts";
import type { StoredBackup } from "./stored-backup.ts";

/** The disk has no room for the backup, which does not pass by itself. */
export class NoRoom extends Error {
  override name = "NoRoom";
}

export interface RestorerOptions {
  sandbox: Pick<SandboxPort, "restoreArchive">;
  store: {
    open(id: string): Promise<{ archive: ArchiveInfo; body: ReadableStream<Uint8Array> } | { damage: string }>;
    isAsTold(id: string, archive: ArchiveInfo): Promise<boolean>;
    setAside(id: string, reason: string): Promise<void>;
    wasRead(archive: ArchiveInfo): void;
  };
  attempts: {
    permits(backup: string): Promise<boolean>;
    failed(backup: string): Promise<void>;
    forget(): Promise<void>;
  };
  troubles: {
    current(): Promise<BackupTrouble | undefined>;
    report(kind: BackupTrouble["kind"], reason: string): Promise<boolean>;
    clear(): Promise<void>;
  };
  /** Is told of what came to nothing. */
  failed: (failure: BackupFailure) => void;
  note: (event: string, details: Record<string, unknown>) => void;
}

export class Restorer {
  readonly #o: RestorerOptions;

  constructor(options: RestorerOptions) {
    this.#o = options;
  }

  /**
   * Restores the newest of `backups` that can be restored.
   *
   * @param backups newest first
   * @returns `none` when each of them is damaged, and set aside now; `occupied` when there is a state already
   * @throws NoRoom, or Error when it could not be tried, which may pass
   */
  async restore(backups: readonly StoredBackup[]): Promise<"restored" | "none" | "occupied"> {
    for (const { id } of backups) {
      const outcome = await this.#restore(id);
      if (outcome !== "damaged") return outcome;
    }
    return "none";
  }

  async #restore(id: string): Promise<"restored" | "occupied" | "damaged"> {
    const { attempts, sandbox, store, note, troubles } = this.#o;
    if (!(await attempts.permits(id))) throw new NoRoom((await troubles.current())?.reason);
    const opened = await store.open(id);
    if ("damage" in opened) return this.#setAside(id, opened.damage);
    const answer = await sandbox.restoreArchive(crypto.randomUUID(), opened.archive, opened.body);
    if (answer.outcome === "full") return this.#lackRoom(id, answer);
    store.wasRead(opened.archive);
    if (answer.outcome === "occupied") return "occupied";
    if (answer.outcome === "damaged") return this.#setAside(id, answer.reason ?? "it cannot be unpacked");
    if (answer.outcome === "altered") return this.#judge(id, opened.archive);
    await attempts.forget();
    await troubles.clear();
    note("restore.complete", { id });
    return "restored";
  }

  /** Other bytes arrived than the manifest tells of: the bucket's are read again, since it may have happened on the way. */
  async #judge(id: string, archive: ArchiveInfo): Promise<"damaged"> {
    if (await this.#o.store.isAsTold(id, archive)) throw new Error("the archive was altered on its way to the sandbox");
    return this.#setAside(id, OTHER_BYTES);
  }

  async #setAside(id: string, reason: string): Promise<"damaged"> {
    await this.#o.store.setAside(id, reason);
    this.#o.note("restore.damaged", { id, reason });
    this.#o.failed("damaged");
    return "damaged";
  }

  async #lackRoom(id: string, { reason = "" }: RestoreAnswer): Promise<never> {
    await this.#o.attempts.failed(id);
    await this.#o.troubles.report("no-room", reason);
    this.#o.note("restore.no-room", { id, reason });
    this.#o.failed("no-room");
    throw new NoRoom(reason);
  }
}
