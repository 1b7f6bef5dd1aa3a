/** Restores a tenant's newest backup into an empty sandbox, and sets aside those that turn out to be damaged. */
import type { BackupFailure, BackupTrouble } from "#workers/contracts/tenant/backup.ts";
import type { ArchiveInfo, RestoreAnswer, VersionAnswer } from "#workers/contracts/tenant/sandbox.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import { OTHER_BYTES } from "../stored/damage.ts";
import type { StoredBackup } from "../stored/stored-backup.ts";
import { refuseNewer } from "../upgrade/newer-state.ts";
import { placeOf, type RestorePlace } from "./attempts.ts";

/** The disk has no room for the backup, which does not pass by itself. */
export class NoRoom extends Error {
  override name = "NoRoom";
}

/** `none` when each backup is damaged, and set aside now; `occupied` when there is a state already. */
export type Restored =
  | { outcome: "none" | "occupied" }
  /** `versions`: the image, and the state as the backup tells of it. */
  | { outcome: "restored"; id: string; versions: VersionAnswer };

export interface RestorerOptions {
  sandbox: Pick<SandboxPort, "restoreArchive" | "askVersions">;
  store: {
    open(id: string): Promise<{ archive: ArchiveInfo; body: ReadableStream<Uint8Array> } | { damage: string }>;
    isAsTold(id: string, archive: ArchiveInfo): Promise<boolean>;
    setAside(id: string, reason: string): Promise<void>;
    wasRead(archive: ArchiveInfo): void;
  };
  attempts: {
    permits(backup: string, there: RestorePlace): Promise<boolean>;
    failed(backup: string, there: RestorePlace): Promise<void>;
    forget(): Promise<void>;
  };
  troubles: {
    current(): Promise<BackupTrouble | undefined>;
    report(kind: BackupTrouble["kind"], reason: string): Promise<boolean>;
    clear(): Promise<void>;
  };
  /** Is told of what came to nothing. */
  failed: (failure: BackupFailure) => void;
  record: RecordEvent;
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
   * @throws NoRoom; NewerState when a newer gateway than the image's wrote it, and none older takes its place; or Error when it could not be
   *   tried, which may pass
   */
  async restore(backups: readonly StoredBackup[]): Promise<Restored> {
    for (const backup of backups) {
      // Each time, which wakes the container: it may be of another image, or another size.
      const versions = await this.#o.sandbox.askVersions(backup.gateway);
      refuseNewer(`the newest backup, ${backup.id},`, versions);
      const outcome = await this.#restore(backup.id, placeOf(versions));
      if (outcome === "restored") return { outcome, id: backup.id, versions };
      if (outcome === "occupied") return { outcome };
    }
    return { outcome: "none" };
  }

  async #restore(id: string, there: RestorePlace): Promise<"restored" | "occupied" | "damaged"> {
    const { attempts, sandbox, store, record, troubles } = this.#o;
    if (!(await attempts.permits(id, there))) throw new NoRoom((await troubles.current())?.reason);
    const opened = await store.open(id);
    if ("damage" in opened) return this.#setAside(id, opened.damage);
    const answer = await sandbox.restoreArchive(crypto.randomUUID(), opened.archive, opened.body);
    if (answer.outcome === "full") return this.#lackRoom(id, there, answer);
    store.wasRead(opened.archive);
    if (answer.outcome === "occupied") return "occupied";
    if (answer.outcome === "damaged") return this.#setAside(id, answer.reason ?? "it cannot be unpacked");
    if (answer.outcome === "altered") return this.#judge(id, opened.archive);
    await attempts.forget();
    await troubles.clear();
    record("restore.complete", { id });
    return "restored";
  }

  /** Other bytes arrived than the manifest tells of: the bucket's are read again, since it may have happened on the way. */
  async #judge(id: string, archive: ArchiveInfo): Promise<"damaged"> {
    if (await this.#o.store.isAsTold(id, archive)) throw new Error("the archive was altered on its way to the sandbox");
    return this.#setAside(id, OTHER_BYTES);
  }

  async #setAside(id: string, reason: string): Promise<"damaged"> {
    await this.#o.store.setAside(id, reason);
    this.#o.record("restore.damaged", { id, reason });
    this.#o.failed("damaged");
    return "damaged";
  }

  async #lackRoom(id: string, there: RestorePlace, { reason = "" }: RestoreAnswer): Promise<never> {
    await this.#o.attempts.failed(id, there);
    await this.#o.troubles.report("no-room", reason);
    this.#o.record("restore.no-room", { id, reason });
    this.#o.failed("no-room");
    throw new NoRoom(reason);
  }
}
