/** Decides whether a backup may be made, and makes one backup at a time. */
import type { BackupManifest } from "#workers/contracts/tenant/backup.ts";
import type { StateInfo } from "#workers/contracts/tenant/sandbox.ts";
import type { FailureReports } from "../failure-reports.ts";
import { HalfUpgraded, NothingToBackUp, OtherState } from "../refusal.ts";
import type { PendingRestore } from "../restore/pending-restore.ts";
import { mayBackUp, newestWhole } from "../restore/status.ts";
import type { StateReader } from "../state-reader.ts";
import type { StoredBackup } from "../stored/stored-backup.ts";
import type { StateUpgrade } from "../upgrade/state-upgrade.ts";
import type { Archiver } from "./archiver.ts";
import type { BackupCleanup } from "./cleanup.ts";

/** After a failed backup the next one is tried this much later, or at the interval when that is shorter, in milliseconds. */
const RETRY_MS = 60_000;

class NotDue extends Error {
  override name = "NotDue";
}

export interface BackupMakerOptions {
  reader: StateReader;
  archiver: Archiver;
  cleanup: Pick<BackupCleanup, "run">;
  pendingRestore: Pick<PendingRestore, "finish">;
  upgrade: Pick<StateUpgrade, "now" | "forget">;
  failures: Pick<FailureReports, "backupFailed" | "backupComplete">;
  /** Time between backups, in milliseconds. */
  intervalMs: number;
}

/**
 * What a backup is for.
 * - `due`: the known state, when the interval has passed.
 * - `now`: the known state.
 * - `accepted`: any state. It gets the id of the newest complete backup, or a new one.
 * - `apart`: any state. It always gets a new id.
 */
type Purpose = "due" | "now" | "accepted" | "apart";

export class BackupMaker {
  readonly #o: BackupMakerOptions;
  #underWay: Promise<BackupManifest> | undefined;
  #notBefore = 0;

  constructor(options: BackupMakerOptions) {
    this.#o = options;
  }

  /** Makes a backup when one is due. Does not reject. */
  async backUpIfDue(): Promise<void> {
    if (this.#underWay !== undefined || Date.now() < this.#notBefore) return;
    await this.#begin("due").catch(() => {});
  }

  /**
   * Makes a backup of the present state. A backup under way is finished first, since it may have begun before the last change. Calls that
   * wait for it share the next one.
   *
   * @throws BackupRefused when the state may not be backed up
   */
  async backUp(): Promise<BackupManifest> {
    await this.settled();
    return this.#underWay ?? this.#begin("now");
  }

  /**
   * Backs up a state that an upgrade is about to change.
   *
   * @param isNew whether the state has no id yet and the tenant has no backup
   */
  async backUpBeforeUpgrade(isNew: boolean): Promise<BackupManifest> {
    await this.settled();
    return this.#begin(isNew ? "accepted" : "now");
  }

  /** Backs up the present state, whatever its id is. @returns `undefined` when there is no whole state */
  async backUpPresent(): Promise<BackupManifest | undefined> {
    const { reader, upgrade, pendingRestore } = this.#o;
    const listing = await reader.backups();
    await pendingRestore.finish(listing);
    const state = await reader.state();
    if (state.empty || (await upgrade.now()) !== undefined) return undefined;
    return this.#begin(mayBackUp(listing.own, state) ? "now" : "apart");
  }

  /**
   * Accepts the present state as the tenant's, whatever its id is, and backs it up.
   *
   * @throws BackupRefused when there is no state
   */
  async accept(): Promise<BackupManifest> {
    await this.settled();
    const manifest = await this.#begin("accepted");
    await this.#o.upgrade.forget();
    return manifest;
  }

  /**
   * Checks that a backup would not be refused now. Makes none.
   *
   * @throws BackupRefused when it would be refused
   */
  async check(): Promise<void> {
    if ((await this.#o.upgrade.now()) !== undefined) return;
    const { listing, state } = await this.#o.reader.both();
    if (!state.empty && !mayBackUp(listing.own, state)) throw new OtherState();
  }

  /** Waits for the backup under way. Does not reject. */
  async settled(): Promise<void> {
    await this.#underWay?.catch(() => {});
  }

  #begin(purpose: Purpose): Promise<BackupManifest> {
    this.#notBefore = Date.now() + Math.min(RETRY_MS, this.#o.intervalMs);
    const work = this.#make(purpose)
      .catch(async (error) => {
        if (!(error instanceof NotDue || error instanceof NothingToBackUp)) await this.#o.failures.backupFailed(error);
        throw error;
      })
      .finally(() => {
        this.#underWay = undefined;
      });
    this.#underWay = work;
    return work;
  }

  async #make(purpose: Purpose): Promise<BackupManifest> {
    const { reader, archiver, cleanup, failures, pendingRestore, intervalMs } = this.#o;
    const listing = await reader.backups();
    if (await pendingRestore.finish(listing)) throw new NothingToBackUp();
    const { own } = listing;
    const state = await reader.state();
    await this.#refuse(purpose, own, state);
    if (purpose === "due") this.#checkInterval(own);
    if (state.empty) throw new NothingToBackUp();
    const createdAt = new Date();
    const manifest = await archiver.backUp(createdAt, state.id, newId(purpose, own));
    this.#notBefore = createdAt.getTime() + intervalMs;
    await failures.backupComplete();
    await cleanup.run();
    return manifest;
  }

  /** Refuses before the interval is checked, so that the reason is reported at once. */
  async #refuse(purpose: Purpose, own: readonly StoredBackup[], state: StateInfo): Promise<void> {
    if (purpose !== "accepted" && (await this.#o.upgrade.now()) !== undefined) throw new HalfUpgraded();
    if (!isForAnyState(purpose) && !state.empty && !mayBackUp(own, state)) throw new OtherState();
  }

  #checkInterval([newest]: readonly StoredBackup[]): void {
    const age = Date.now() - (newest?.createdAt.getTime() ?? 0);
    // A backup from the future comes from a wrong clock, so it does not delay the next one.
    if (age < 0 || age >= this.#o.intervalMs) return;
    this.#notBefore = Date.now() + this.#o.intervalMs - age;
    throw new NotDue("a backup is not due yet");
  }
}

const isForAnyState = (purpose: Purpose): boolean => purpose === "accepted" || purpose === "apart";

/** The id that the state gets before it is archived; `undefined` when it keeps its own. */
function newId(purpose: Purpose, own: readonly StoredBackup[]): string | undefined {
  if (!isForAnyState(purpose)) return undefined;
  const newest = purpose === "accepted" ? newestWhole(own)?.state : undefined;
  return newest ?? crypto.randomUUID();
}
