/** Keeps a tenant's state beyond its sandbox: restores it before the gateway first starts, and backs it up. */
import type { BackupManifest } from "../contracts/backup.ts";
import type { RestoreStatus } from "../contracts/health-snapshot.ts";
import type { BackupListing, BackupStore } from "./backup-store.ts";
import type { KnownRestore } from "./probes.ts";
import { judgeRestore, mayBackUp } from "./restore-status.ts";
import { beyondRetention, ORPHAN_AGE_MS, type RetentionLimits, unexpired } from "./retention.ts";
import type { SandboxPort } from "./sandbox-port.ts";

/** After a backup that failed the next is tried this much later, or at the interval when that is shorter, in milliseconds. */
const RETRY_MS = 60_000;
/** How long a restore status that may still change is used, in milliseconds. */
const LOOK_MS = 30_000;
const INSPECT_TIMEOUT_MS = 10_000;
const MAX_NOTES = 50;

/** The state cannot be made ready, so the gateway must not start. */
export class StateNotReady extends Error {}

/** A backup was refused; the message says why and what to do. */
export class BackupRefused extends Error {}

/** There is no state: the sandbox sleeps, or is empty. */
export class NothingToBackUp extends BackupRefused {
  constructor() {
    super("There is no state to back up: the sandbox sleeps or is empty.");
  }
}

const OTHER_STATE =
  "This state is not that of the newest backup, so a backup of it would hide that one. Restart the gateway with an empty sandbox to restore it, or remove the backups.";

class NotDue extends Error {}

export interface StateKeeperOptions {
  sandbox: SandboxPort;
  store: BackupStore;
  /** Time between backups, in milliseconds. */
  intervalMs: number;
  retention: RetentionLimits;
}

export class StateKeeper {
  readonly #o: StateKeeperOptions;
  readonly #notes: string[] = [];
  /** As judged when the gateway was last started. */
  #status: RestoreStatus | undefined;
  #looked: { at: number; status: RestoreStatus } | undefined;
  #backingUp: Promise<BackupManifest> | undefined;
  #notBefore = 0;

  constructor(options: StateKeeperOptions) {
    this.#o = options;
  }

  /** What was restored, backed up and found damaged since this object began, oldest first. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** The restore status; restores nothing and wakes nothing. `undefined` when the bucket or the sandbox cannot be read. */
  async status(): Promise<KnownRestore> {
    if (this.#status !== undefined) return this.#status;
    if (this.#looked !== undefined && Date.now() - this.#looked.at < LOOK_MS) return this.#looked.status;
    try {
      const [{ own }, state] = await Promise.all([this.#list(), this.#inspect()]);
      const status = judgeRestore(own, state);
      // A gateway's state stays what it is until the next start; an empty one awaits its restore.
      if (!state.empty) this.#status ??= status;
      this.#looked = { at: Date.now(), status };
      return this.#status ?? status;
    } catch (error) {
      this.note("restore-status.unknown", { message: String(error) });
      return undefined;
    }
  }

  /**
   * Restores the newest backup that can be restored when there is no state yet. Call before each start.
   *
   * @returns variables for the startup script
   * @throws StateNotReady when the bucket or the sandbox fails, which may pass: a start now would hide a good backup
   */
  async prepare(): Promise<Record<string, string>> {
    this.forget();
    try {
      const [listing, state] = await Promise.all([this.#list(), this.#inspect()]);
      if (listing.foreign.length > 0) this.note("backup.of-another-owner", { ids: listing.foreign });
      this.#status = state.empty ? await this.#restore(listing) : judgeRestore(listing.own, state);
      if (this.#status.hadBackup && !this.#status.restored) this.note("restore.unconfirmed", {});
      // Only a state that follows on no backup may be called a new one.
      return this.#status.hadBackup ? {} : { STATE_ID: crypto.randomUUID() };
    } catch (error) {
      this.note("restore.failed", { message: String(error) });
      throw new StateNotReady("the backup could not be read or restored; it is tried again");
    }
  }

  /** Begins a backup when one is due. @returns it, to be kept alive; it does not reject */
  backUpIfDue(): Promise<void> | undefined {
    if (this.#backingUp !== undefined || Date.now() < this.#notBefore) return undefined;
    return this.#begin(true).then(
      () => {},
      () => {},
    );
  }

  /**
   * Makes a backup now, or joins the one under way.
   *
   * @throws BackupRefused when the state may not be backed up
   */
  backUp(): Promise<BackupManifest> {
    return this.#backingUp ?? this.#begin(false);
  }

  /**
   * Makes a backup of what is there now; one under way is let end first, since it may have begun before the last change.
   *
   * @throws BackupRefused when the state may not be backed up
   */
  async backUpAnew(): Promise<BackupManifest> {
    await this.settled();
    return this.backUp();
  }

  /**
   * Makes sure that a backup would not be refused now; makes none.
   *
   * @throws BackupRefused when it would be
   */
  async checkBackUp(): Promise<void> {
    const [{ own }, state] = await Promise.all([this.#list(), this.#inspect()]);
    if (!state.empty && !mayBackUp(own, state)) throw new BackupRefused(OTHER_STATE);
  }

  /** Waits for the backup under way, whatever becomes of it. */
  async settled(): Promise<void> {
    await this.#backingUp?.catch(() => {});
  }

  /** The state is gone with the sandbox's disk. */
  forget(): void {
    this.#status = undefined;
    this.#looked = undefined;
  }

  #begin(onlyWhenDue: boolean): Promise<BackupManifest> {
    this.#notBefore = Date.now() + Math.min(RETRY_MS, this.#o.intervalMs);
    const work = this.#backUp(onlyWhenDue)
      .catch((error) => {
        if (!(error instanceof NotDue || error instanceof NothingToBackUp))
          this.note("backup.failed", { message: String(error) });
        throw error;
      })
      .finally(() => {
        this.#backingUp = undefined;
      });
    this.#backingUp = work;
    return work;
  }

  async #backUp(onlyWhenDue: boolean): Promise<BackupManifest> {
    const { sandbox, store, intervalMs } = this.#o;
    const [{ own }, state] = await Promise.all([this.#list(), this.#inspect()]);
    const age = Date.now() - (own[0]?.createdAt.getTime() ?? 0);
    // A backup from the future tells of a clock gone wrong, not of one made lately.
    if (onlyWhenDue && age >= 0 && age < intervalMs) {
      this.#notBefore = Date.now() + intervalMs - age;
      throw new NotDue("a backup is not due yet");
    }
    if (state.empty) throw new NothingToBackUp();
    if (!mayBackUp(own, state)) throw new BackupRefused(OTHER_STATE);
    const createdAt = new Date();
    const name = crypto.randomUUID();
    const archive = await sandbox.createArchive(name);
    try {
      if (archive.state !== state.id) throw new Error("the state was replaced while it was archived");
      const manifest = await store.write(createdAt, archive, await sandbox.readArchive(name));
      this.#notBefore = createdAt.getTime() + intervalMs;
      this.note("backup.complete", { id: manifest.id, bytes: archive.size, files: archive.files });
      if (archive.leftOut !== undefined) this.note("backup.left-out", archive.leftOut);
      await this.#retain();
      return manifest;
    } finally {
      await sandbox.removeArchive(name).catch(() => {});
    }
  }

  async #retain(): Promise<void> {
    try {
      const now = new Date();
      const { own, orphans } = await this.#o.store.list();
      const ids = beyondRetention(own, now, this.#o.retention).map(({ id }) => id);
      await this.#o.store.remove(ids);
      const stale = orphans.filter(({ uploadedAt }) => now.getTime() - uploadedAt.getTime() > ORPHAN_AGE_MS);
      await this.#o.store.removeKeys(stale.map(({ key }) => key));
      if (ids.length > 0) this.note("backup.removed", { ids });
    } catch (error) {
      // The backup itself is complete.
      this.note("backup.retention-failed", { message: String(error) });
    }
  }

  async #restore({ own }: BackupListing): Promise<RestoreStatus> {
    for (const { id } of own) {
      const opened = await this.#o.store.open(id);
      if ("damage" in opened) {
        this.note("restore.damaged", { id, reason: opened.damage });
        continue;
      }
      const answer = await this.#o.sandbox.restoreArchive(crypto.randomUUID(), opened.archive, opened.body);
      this.#o.store.wasRead(opened.archive);
      if (answer.outcome === "restored") {
        this.note("restore.complete", { id });
        return { hadBackup: true, restored: true };
      }
      if (answer.outcome === "occupied") return judgeRestore(own, await this.#inspect());
      this.note("restore.damaged", { id, reason: answer.reason });
    }
    return { hadBackup: own.length > 0, restored: false };
  }

  /** What the bucket holds; an expired backup counts as gone. */
  async #list(): Promise<BackupListing> {
    const listing = await this.#o.store.list();
    return { ...listing, own: unexpired(listing.own, new Date(), this.#o.retention) };
  }

  #inspect() {
    return this.#o.sandbox.inspectState(AbortSignal.timeout(INSPECT_TIMEOUT_MS));
  }

  /** Writes a note, unless it repeats the last. */
  note(event: string, details: Record<string, unknown>): void {
    const line = JSON.stringify({ event, ...details });
    console.log(line);
    if (this.#notes.at(-1)?.endsWith(` ${line}`)) return;
    this.#notes.push(`${new Date().toISOString()} ${line}`);
    if (this.#notes.length > MAX_NOTES) this.#notes.shift();
  }
}
