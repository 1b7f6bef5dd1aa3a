/** Restores a tenant's newest backup into an empty sandbox, and marks damaged backups. */
import type { BackupFailure } from "#workers/contracts/tenant/backup.ts";
import type { ArchiveInfo, RestoreAnswer, VersionAnswer } from "#workers/contracts/tenant/sandbox.ts";
import type { RecordEvent } from "../../event-log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import { NotEnoughDisk, refuseNewer } from "../errors.ts";
import { CHECKSUM_MISMATCH, type StoredBackup } from "../stored/stored-backup.ts";
import type { Troubles } from "../troubles.ts";
import { placeOf, type RestoreAttempts, type RestorePlace } from "./attempts.ts";
import type { UnexpectedRestores } from "./unexpected-restores.ts";

/** `none`: every backup is damaged. `occupied`: a state already exists. */
export type Restored =
  | { outcome: "none" | "occupied" }
  /** `versions` compares the image with the backup's state. */
  | { outcome: "restored"; id: string; versions: VersionAnswer };

export interface RestorerOptions {
  sandbox: Pick<SandboxPort, "restoreArchive" | "getVersions">;
  /** Part of `BackupStore`. */
  store: {
    open(id: string): Promise<{ archive: ArchiveInfo; body: ReadableStream<Uint8Array> } | { damage: string }>;
    isIntact(id: string, archive: ArchiveInfo): Promise<boolean>;
    markDamaged(id: string, reason: string): Promise<void>;
    countDownload(archive: ArchiveInfo): void;
  };
  attempts: Pick<RestoreAttempts, "permits" | "recordFailure" | "forget">;
  unexpected: Pick<UnexpectedRestores, "recordDamaged">;
  troubles: Pick<Troubles, "current" | "report" | "clear">;
  countFailure: (failure: BackupFailure) => void;
  /** Runs before a backup is restored, since the state is lost that the gateway had later. @param from when the backup began */
  onStateLost: (from: Date) => void;
  record: RecordEvent;
}

export class Restorer {
  readonly #o: RestorerOptions;

  constructor(options: RestorerOptions) {
    this.#o = options;
  }

  /**
   * Restores the newest of `backups` that is not damaged.
   *
   * @param backups newest first
   * @throws NotEnoughDisk; NewerState when a newer gateway than the image's wrote it: older backups do not replace it; or Error when the restore
   *   failed for a temporary reason
   */
  async restore(backups: readonly StoredBackup[]): Promise<Restored> {
    for (const backup of backups) {
      // Each time, since it wakes the container, whose image or size may have changed.
      const versions = await this.#o.sandbox.getVersions(backup.gateway);
      refuseNewer(`the newest backup, ${backup.id},`, versions);
      this.#o.onStateLost(backup.createdAt);
      const outcome = await this.#restore(backup.id, placeOf(versions));
      if (outcome === "damaged") await this.#o.unexpected.recordDamaged(backup);
      if (outcome === "restored") return { outcome, id: backup.id, versions };
      if (outcome === "occupied") return { outcome };
    }
    return { outcome: "none" };
  }

  async #restore(id: string, place: RestorePlace): Promise<"restored" | "occupied" | "damaged"> {
    const { attempts, sandbox, store, record, troubles } = this.#o;
    if (!(await attempts.permits(id, place))) throw new NotEnoughDisk((await troubles.current())?.reason);
    const opened = await store.open(id);
    if ("damage" in opened) return this.#markDamaged(id, opened.damage);
    const answer = await sandbox.restoreArchive(crypto.randomUUID(), opened.archive, opened.body);
    if (answer.outcome === "full") return this.#reportNotEnoughDisk(id, place, answer);
    store.countDownload(opened.archive);
    if (answer.outcome === "occupied") return "occupied";
    if (answer.outcome === "damaged") return this.#markDamaged(id, answer.reason ?? "it cannot be unpacked");
    if (answer.outcome === "altered") return this.#checkBucket(id, opened.archive);
    await attempts.forget();
    await troubles.clear();
    record("restore.complete", { id });
    return "restored";
  }

  /** Finds out whether a checksum mismatch is from the bucket or from the transfer. */
  async #checkBucket(id: string, archive: ArchiveInfo): Promise<"damaged"> {
    if (await this.#o.store.isIntact(id, archive))
      throw new Error("The archive was altered during its transfer to the sandbox.");
    return this.#markDamaged(id, CHECKSUM_MISMATCH);
  }

  async #markDamaged(id: string, reason: string): Promise<"damaged"> {
    await this.#o.store.markDamaged(id, reason);
    this.#o.record("restore.damaged", { id, reason });
    this.#o.countFailure("damaged");
    return "damaged";
  }

  async #reportNotEnoughDisk(id: string, place: RestorePlace, { reason = "" }: RestoreAnswer): Promise<never> {
    await this.#o.attempts.recordFailure(id, place);
    await this.#o.troubles.report("no-room", reason);
    this.#o.record("restore.no-room", { id, reason });
    this.#o.countFailure("no-room");
    throw new NotEnoughDisk(reason);
  }
}
