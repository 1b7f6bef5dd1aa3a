/** Decides whether a backup may be created, and creates one at a time. */
import type { BackupManifest, BackupOrigin } from "#workers/contracts/tenant/backup.ts";
import type { StateInfo } from "#workers/contracts/tenant/sandbox.ts";
import { HalfUpgraded, NothingToBackUp, OtherState } from "../errors.ts";
import type { FailureReports } from "../failure-reports.ts";
import type { PendingRestore } from "../restore/pending-restore.ts";
import { mayBackUp, newestWhole } from "../restore/status.ts";
import type { StateReader } from "../state-reader.ts";
import type { StoredBackup } from "../stored/stored-backup.ts";
import type { StateUpgrade } from "../upgrade/state-upgrade.ts";
import { type ArchiverParts, archiveState } from "./archiver.ts";
import type { BackupCleanup } from "./cleanup.ts";

/** Delay of the next backup after a failed one, in milliseconds, unless the interval is shorter. */
const RETRY_MS = 60_000;

class NotDue extends Error {
  override name = "NotDue";
}

export interface BackupMakerOptions extends ArchiverParts {
  reader: StateReader;
  cleanup: Pick<BackupCleanup, "run">;
  pendingRestore: Pick<PendingRestore, "finish">;
  upgrade: Pick<StateUpgrade, "current" | "forget">;
  failures: Pick<FailureReports, "reportFailedBackup" | "clear">;
  /** Runs after each backup. @param began when it began: the backup has what the state had then */
  onBackup: (began: Date) => void;
  /** Time between backups, in milliseconds. */
  intervalMs: number;
}

/**
 * The purpose of a backup.
 * - `due`: the known state, when the interval has passed.
 * - `now`: the known state.
 * - `accepted`: any state. It gets the id of the newest complete backup, or a new one.
 * - `apart`: any state. It always gets a new id.
 */
type Purpose = "due" | "now" | "accepted" | "apart";

export class BackupMaker {
  readonly #o: BackupMakerOptions;
  #current: Promise<BackupManifest> | undefined;
  #notBefore = 0;

  constructor(options: BackupMakerOptions) {
    this.#o = options;
  }

  /** Creates a backup when one is due. Does not reject. */
  async backUpIfDue(): Promise<void> {
    if (this.#current !== undefined || Date.now() < this.#notBefore) return;
    await this.#begin("due", { reason: "scheduled" }).catch(() => {});
  }

  /**
   * Backs up the present state, after any backup in progress, which may have begun before the last change. Concurrent callers share the
   * new one.
   *
   * @throws BackupRefused when the state may not be backed up
   */
  async backUp(origin: BackupOrigin): Promise<BackupManifest> {
    await this.settle();
    return this.#current ?? this.#begin("now", origin);
  }

  /** Backs up a state before an upgrade. @param isNew whether the state has no id and the tenant no backup */
  async backUpBeforeUpgrade(isNew: boolean): Promise<BackupManifest> {
    await this.settle();
    return this.#begin(isNew ? "accepted" : "now", { reason: "before_upgrade" });
  }

  /** Backs up the present state, whatever its id is. @returns `undefined` when no complete state exists */
  async backUpPresent(): Promise<BackupManifest | undefined> {
    const { reader, upgrade, pendingRestore } = this.#o;
    const listing = await reader.backups();
    await pendingRestore.finish(listing);
    const state = await reader.state();
    if (state.empty || (await upgrade.current()) !== undefined) return undefined;
    return this.#begin(mayBackUp(listing.own, state) ? "now" : "apart", { reason: "before_restore" });
  }

  /** Accepts the present state as the tenant's, whatever its id is, and backs it up. @throws BackupRefused when no state exists */
  async accept(): Promise<BackupManifest> {
    await this.settle();
    const manifest = await this.#begin("accepted", { reason: "accepted" });
    await this.#o.upgrade.forget();
    return manifest;
  }

  /** Checks whether a backup would be refused, without creating one. @throws BackupRefused when it would be */
  async check(): Promise<void> {
    if ((await this.#o.upgrade.current()) !== undefined) return;
    const { listing, state } = await this.#o.reader.both();
    if (!state.empty && !mayBackUp(listing.own, state)) throw new OtherState();
  }

  /** Waits for the backup in progress. Does not reject. */
  async settle(): Promise<void> {
    await this.#current?.catch(() => {});
  }

  #begin(purpose: Purpose, origin: BackupOrigin): Promise<BackupManifest> {
    this.#notBefore = Date.now() + Math.min(RETRY_MS, this.#o.intervalMs);
    const work = this.#create(purpose, origin)
      .catch(async (error) => {
        if (!(error instanceof NotDue || error instanceof NothingToBackUp))
          await this.#o.failures.reportFailedBackup(error);
        throw error;
      })
      .finally(() => {
        this.#current = undefined;
      });
    this.#current = work;
    return work;
  }

  async #create(purpose: Purpose, origin: BackupOrigin): Promise<BackupManifest> {
    const { reader, cleanup, failures, pendingRestore, intervalMs } = this.#o;
    const listing = await reader.backups();
    if (await pendingRestore.finish(listing)) throw new NothingToBackUp();
    const { own } = listing;
    const state = await reader.state();
    await this.#refuse(purpose, own, state);
    if (purpose === "due") this.#checkInterval(own);
    if (state.empty) throw new NothingToBackUp();
    const createdAt = new Date();
    const manifest = await archiveState(this.#o, createdAt, state.id, newStateId(purpose, own), origin);
    this.#notBefore = createdAt.getTime() + intervalMs;
    this.#o.onBackup(createdAt);
    await failures.clear();
    await cleanup.run();
    return manifest;
  }

  /** Runs before the check of the interval, so that a refusal is reported immediately. */
  async #refuse(purpose: Purpose, own: readonly StoredBackup[], state: StateInfo): Promise<void> {
    if (purpose !== "accepted" && (await this.#o.upgrade.current()) !== undefined) throw new HalfUpgraded();
    if (!isForAnyState(purpose) && !state.empty && !mayBackUp(own, state)) throw new OtherState();
  }

  #checkInterval([newest]: readonly StoredBackup[]): void {
    const age = Date.now() - (newest?.createdAt.getTime() ?? 0);
    // A backup with a future date comes from a wrong clock, so it does not delay the next one.
    if (age < 0 || age >= this.#o.intervalMs) return;
    this.#notBefore = Date.now() + this.#o.intervalMs - age;
    throw new NotDue("No backup is due yet.");
  }
}

const isForAnyState = (purpose: Purpose): boolean => purpose === "accepted" || purpose === "apart";

/** Returns the id to set before the state is archived; `undefined` to leave it unchanged. */
function newStateId(purpose: Purpose, own: readonly StoredBackup[]): string | undefined {
  if (!isForAnyState(purpose)) return undefined;
  const newest = purpose === "accepted" ? newestWhole(own)?.state : undefined;
  return newest ?? crypto.randomUUID();
}
