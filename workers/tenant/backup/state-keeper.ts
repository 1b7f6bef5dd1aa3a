/** Keeps a tenant's state beyond its sandbox: restores it before the gateway first starts, and backs it up. */
import type { BackupFailure, BackupManifest, BackupReport } from "#workers/contracts/backup.ts";
import type { RestoreStatus } from "#workers/contracts/health-snapshot.ts";
import type { GatewayVersion, ProcessList } from "#workers/contracts/sandbox.ts";
import type { SandboxStatus } from "#workers/contracts/sandbox-status.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import { Preparation } from "./preparation.ts";
import { BackupRefused, HalfUpgraded, NothingToBackUp, OtherState } from "./refusal.ts";
import { backupReportOf } from "./report.ts";
import type { RestoreAttempts } from "./restore/attempts.ts";
import type { LastOrder } from "./restore/last-order.ts";
import { Restorer } from "./restore/restorer.ts";
import { judgeRestore, type KnownRestore, mayBackUp, newestWhole } from "./restore/status.ts";
import { DamagedBackup } from "./stored/damage.ts";
import { beyondRetention, ORPHAN_AGE_MS, type RetentionLimits, unexpired } from "./stored/retention.ts";
import type { BackupListing, BackupStore } from "./stored/store.ts";
import type { OrderedRestore, StoredBackup } from "./stored/stored-backup.ts";
import type { Troubles } from "./troubles.ts";
import type { ImageVersion } from "./upgrade/image-version.ts";
import { NewerState, refuseNewer } from "./upgrade/newer-state.ts";
import type { StateUpgrade, StateUpgradeOptions } from "./upgrade/state-upgrade.ts";

/** After a backup that failed the next is tried this much later, or at the interval when that is shorter, in milliseconds. */
const RETRY_MS = 60_000;
/** How long a restore status that may still change is used, in milliseconds. */
const LOOK_MS = 30_000;
const INSPECT_TIMEOUT_MS = 10_000;
const MAX_NOTES = 50;

class NotDue extends Error {
  override name = "NotDue";
}

export interface StateKeeperOptions {
  sandbox: SandboxPort;
  store: BackupStore;
  /** Time between backups, in milliseconds. */
  intervalMs: number;
  retention: RetentionLimits;
  attempts: RestoreAttempts;
  lastOrder: LastOrder;
  image: ImageVersion;
  upgrade: (note: StateUpgradeOptions["note"]) => StateUpgrade;
  troubles: Troubles;
  /** Is told of each backup and restore that came to nothing. */
  failed: (failure: BackupFailure) => void;
}

/** A restore as it is asked for. */
export interface WantedRestore {
  /** Of the backup. */
  id: string;
  /** Goes on when the present state cannot be backed up. */
  discardPresent: boolean;
  /** Names the order, which is carried out once. */
  order: string;
}

/**
 * What a backup is made of. `due`: the state, if it is time. `now`: the state. `accepted`: the state, taken for the one that follows on the
 * newest backup. `apart`: the state, as one of its own.
 */
type Occasion = "due" | "now" | "accepted" | "apart";

export class StateKeeper {
  readonly #o: StateKeeperOptions;
  readonly #upgrade: StateUpgrade;
  readonly #preparation: Preparation;
  readonly #notes: string[] = [];
  /** As judged when the gateway was last started. */
  #status: RestoreStatus | undefined;
  #looked: { at: number; status: RestoreStatus } | undefined;
  #backingUp: Promise<BackupManifest> | undefined;
  /** Whether a backup takes the state's place: none is dropped, for it may be the oldest. */
  #replacing = false;
  #notBefore = 0;

  constructor(options: StateKeeperOptions) {
    this.#o = options;
    const note = (event: string, details: Record<string, unknown>) => this.note(event, details);
    this.#upgrade = options.upgrade(note);
    const sandbox = {
      askVersions: (of?: GatewayVersion) => options.image.askVersions(of),
      sleep: () => options.sandbox.sleep(),
      restoreArchive: options.sandbox.restoreArchive,
    };
    this.#preparation = new Preparation({
      ...options,
      sandbox,
      upgrade: this.#upgrade,
      restorer: new Restorer({ ...options, sandbox, note }),
      list: () => this.#list(),
      finishReplacing: (listing) => this.#finishReplacing(listing),
      inspect: () => this.#inspect(),
      backUp: async (isNew) => {
        await this.settled();
        return this.#begin(isNew ? "accepted" : "now");
      },
      newer: async ({ message }) => {
        options.failed("newer-state");
        if (await options.troubles.report("newer-state", message)) note("state.newer", { message });
      },
      note,
    });
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
   * Makes the state ready for a start: restores the newest backup that can be restored when there is none yet. Call before each start, and
   * {@link started} when that was ordered.
   *
   * @returns variables for the startup script
   * @throws StateNotReady when the bucket or the sandbox fails, which may pass, or the state is not for this image
   */
  async prepare(): Promise<Record<string, string>> {
    this.forget();
    const { status, variables } = await this.#o.image.during(() => this.#preparation.prepare());
    this.#status = status;
    return variables;
  }

  /** The start was ordered, or could not be. */
  started(): void {
    this.#upgrade.started();
  }

  /** Something was seen of the sandbox. @param at when the look began */
  async seen(list: ProcessList, at: Date): Promise<void> {
    await this.#upgrade.seen(list, at);
  }

  /** What keeps the state from being started with, as administrators are told. */
  async hindrance(): Promise<Pick<SandboxStatus, "upgrade" | "trouble">> {
    const [upgrade, trouble] = await Promise.all([this.#upgrade.told(), this.#o.troubles.current()]);
    return { ...(upgrade && { upgrade }), ...(trouble && { trouble }) };
  }

  /** The gateway that the image told at the last start; wakes nothing. */
  gateway(): Promise<GatewayVersion | undefined> {
    return this.#o.image.told();
  }

  /** Begins a backup when one is due. @returns it, to be kept alive; it does not reject */
  backUpIfDue(): Promise<void> | undefined {
    if (this.#backingUp !== undefined || Date.now() < this.#notBefore) return undefined;
    return this.#begin("due").then(
      () => {},
      () => {},
    );
  }

  /**
   * Makes a backup of what is there now. A backup in progress is finished first, since it may have begun before the last change. Calls that
   * wait for it share the next one.
   *
   * @throws BackupRefused when the state may not be backed up
   */
  async backUp(): Promise<BackupManifest> {
    await this.settled();
    return this.#backingUp ?? this.#begin("now");
  }

  /**
   * Makes sure that a backup would not be refused now; makes none.
   *
   * @throws BackupRefused when it would be
   */
  async checkBackUp(): Promise<void> {
    if ((await this.#upgrade.now()) !== undefined) return;
    const [{ own }, state] = await Promise.all([this.#list(), this.#inspect()]);
    if (!state.empty && !mayBackUp(own, state)) throw new OtherState();
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

  /**
   * Takes the state for the tenant's, whatever it was marked as, and backs it up.
   *
   * @throws BackupRefused when there is none
   */
  async accept(): Promise<BackupManifest> {
    await this.settled();
    const manifest = await this.#begin("accepted");
    await this.#upgrade.forget();
    this.forget();
    return manifest;
  }

  /**
   * Puts a backup in place of the present state, which is backed up before. The gateway has ended; the sandbox sleeps afterwards, and the
   * next start restores the backup. Once the backup is the newest, what breaks off is brought to its end before the next start or backup.
   *
   * @param wanted.discardPresent goes on when the present state cannot be backed up
   * @returns the backup of the present state, if there was any
   * @throws BackupRefused when it cannot be; all is then as it was
   */
  async replace({ id, discardPresent, order }: WantedRestore): Promise<BackupManifest | undefined> {
    await this.settled();
    this.#replacing = true;
    try {
      const present = await this.#backUpPresent(discardPresent);
      const { id: newest } = await this.#o.store.renew({ order, of: id, present: present?.id });
      this.note("restore.ordered", { id, as: newest, ...(present && { present: present.id }) });
      await this.#letGo(order);
      return present;
    } finally {
      this.#replacing = false;
    }
  }

  /** A restore that was ordered before. @returns `isOver` unless it broke off, and the next start brings it to its end */
  async ordered(order: string): Promise<(OrderedRestore & { isOver: boolean }) | undefined> {
    const { own, damaged } = await this.#o.store.list();
    const copy = [...own, ...damaged].find(({ restore }) => restore?.order === order);
    if (copy?.restore === undefined) return undefined;
    return { ...copy.restore, isOver: copy !== own[0] || (await this.#o.lastOrder.is(order)) };
  }

  /** @returns whether there was something to be done */
  async #finishReplacing({ own: [newest] }: Pick<BackupListing, "own">): Promise<boolean> {
    if (newest?.restore === undefined || (await this.#o.lastOrder.is(newest.restore.order))) return false;
    this.note("restore.gone-on", { as: newest.id });
    await this.#letGo(newest.restore.order);
    return true;
  }

  /** Gives the present state up for the newest backup. */
  async #letGo(order: string): Promise<void> {
    await this.#o.sandbox.sleep();
    this.forget();
    await this.#upgrade.forget();
    await this.retryRestore();
    await this.#o.lastOrder.set(order);
  }

  /**
   * Makes sure that a backup can be restored, and that the image may have its state. Wakes the sandbox.
   *
   * @throws BackupRefused when it is damaged, or a newer gateway than the image's wrote its state
   */
  async verify({ id, gateway }: Pick<StoredBackup, "id" | "gateway">): Promise<void> {
    try {
      // As long as its gateway runs an upgrade shows to be complete.
      await this.#upgrade.now();
      if (gateway !== undefined) refuseNewer(`The state of backup ${id}`, await this.#o.image.askVersions(gateway));
      await this.#o.store.verify(id);
    } catch (error) {
      if (error instanceof NewerState) throw new BackupRefused(`${error.message}. Nothing was changed.`);
      throw error instanceof DamagedBackup ? new BackupRefused(`That backup is damaged: ${error.message}.`) : error;
    }
  }

  async #backUpPresent(discard: boolean): Promise<BackupManifest | undefined> {
    try {
      const listing = await this.#list();
      await this.#finishReplacing(listing);
      const { own } = listing;
      const state = await this.#inspect();
      if (state.empty || (await this.#upgrade.now()) !== undefined) return undefined;
      return await this.#begin(mayBackUp(own, state) ? "now" : "apart");
    } catch (error) {
      if (!discard)
        throw new BackupRefused(
          'The present state could not be backed up, so it stays; GET /api/admin/gateway/log says why. To give it up for good, send "discardPresent": true.',
        );
      this.note("restore.present-discarded", { message: String(error) });
      return undefined;
    }
  }

  /** Tries again at once what failed: to restore what the disk had no room for, to upgrade the state. */
  async retryRestore(): Promise<void> {
    await this.#o.attempts.forget();
    await this.#upgrade.retry();
  }

  /** What there is, and what is the matter. @throws when the bucket or the sandbox cannot be read */
  async report(): Promise<BackupReport> {
    const [listing, state, trouble, next] = await Promise.all([
      this.#list(),
      this.#inspect(),
      this.#o.troubles.current(),
      this.#o.attempts.next(),
    ]);
    return backupReportOf({ listing, state, trouble, next });
  }

  #begin(occasion: Occasion): Promise<BackupManifest> {
    this.#notBefore = Date.now() + Math.min(RETRY_MS, this.#o.intervalMs);
    const work = this.#backUp(occasion)
      .catch(async (error) => {
        if (!(error instanceof NotDue || error instanceof NothingToBackUp)) await this.#tell(error);
        throw error;
      })
      .finally(() => {
        this.#backingUp = undefined;
      });
    this.#backingUp = work;
    return work;
  }

  /** Says once what keeps backups from being made, and counts it each time. */
  async #tell(error: unknown): Promise<void> {
    const kind = error instanceof BackupRefused ? "refused" : "failed";
    const message = error instanceof Error ? error.message : String(error);
    this.#o.failed(kind);
    if (await this.#o.troubles.report(kind, message)) this.note(`backup.${kind}`, { message });
  }

  async #backUp(occasion: Occasion): Promise<BackupManifest> {
    const { sandbox, store, intervalMs, troubles } = this.#o;
    const listing = await this.#list();
    if (await this.#finishReplacing(listing)) throw new NothingToBackUp();
    const { own } = listing;
    const state = await this.#inspect();
    if (occasion !== "accepted" && (await this.#upgrade.now()) !== undefined) throw new HalfUpgraded();
    const isAnyState = occasion === "accepted" || occasion === "apart";
    // Told as soon as it is seen, and not only when a backup is due.
    if (!isAnyState && !state.empty && !mayBackUp(own, state)) throw new OtherState();
    const age = Date.now() - (own[0]?.createdAt.getTime() ?? 0);
    // A backup from the future tells of a clock gone wrong, not of one made lately.
    if (occasion === "due" && age >= 0 && age < intervalMs) {
      this.#notBefore = Date.now() + intervalMs - age;
      throw new NotDue("a backup is not due yet");
    }
    if (state.empty) throw new NothingToBackUp();
    const createdAt = new Date();
    const name = crypto.randomUUID();
    const newest = occasion === "accepted" ? newestWhole(own)?.state : undefined;
    const mark = isAnyState ? (newest ?? crypto.randomUUID()) : undefined;
    const archive = await sandbox.createArchive(name, mark);
    try {
      if (archive.state !== (mark ?? state.id)) throw new Error("the state was replaced while it was archived");
      const manifest = await store.write(createdAt, archive, await sandbox.readArchive(name));
      this.#notBefore = createdAt.getTime() + intervalMs;
      this.note("backup.complete", { id: manifest.id, bytes: archive.size, files: archive.files });
      if (archive.leftOut !== undefined) this.note("backup.left-out", archive.leftOut);
      await troubles.clear();
      if (!this.#replacing) await this.#retain();
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
