/**
 * Makes the state ready for a start: restores it when there is none, keeps a newer one from an older image, and has an older one backed up
 * before a newer gateway gets it.
 */
import type { BackupManifest, BackupTrouble } from "#workers/contracts/backup.ts";
import type { RestoreStatus } from "#workers/contracts/health-snapshot.ts";
import { STATE_BACKUP_VARIABLE, type StateInfo, type VersionAnswer } from "#workers/contracts/sandbox.ts";
import type { SandboxPort } from "../sandbox/port.ts";
import { NoRoom, type Restored, type Restorer } from "./restore/restorer.ts";
import { judgeRestore } from "./restore/status.ts";
import { StateNotReady } from "./state-not-ready.ts";
import type { BackupListing } from "./stored/store.ts";
import type { StoredBackup } from "./stored/stored-backup.ts";
import { NewerState, refuseNewer } from "./upgrade/newer-state.ts";
import { named, nextAttempt, remedyOf, type StateUpgrade } from "./upgrade/state-upgrade.ts";

export interface PreparationOptions {
  sandbox: Pick<SandboxPort, "askVersions" | "sleep">;
  restorer: Restorer;
  upgrade: StateUpgrade;
  troubles: {
    current(): Promise<BackupTrouble | undefined>;
    clear(): Promise<void>;
  };
  list: () => Promise<BackupListing>;
  /** Brings a restore to its end that was ordered and broke off. */
  finishReplacing: (listing: BackupListing) => Promise<unknown>;
  inspect: () => Promise<StateInfo>;
  /** Backs the state up as it is now. @param isNew it is not known, but there is none that a backup of it could hide */
  backUp: (isNew: boolean) => Promise<BackupManifest>;
  /** Is told of a state that is newer than the image. */
  newer: (error: NewerState) => Promise<void>;
  note: (event: string, details: Record<string, unknown>) => void;
}

export interface Prepared {
  status: RestoreStatus;
  /** For the startup script. */
  variables: Record<string, string>;
}

export class Preparation {
  readonly #o: PreparationOptions;

  constructor(options: PreparationOptions) {
    this.#o = options;
  }

  /** @throws StateNotReady when that cannot be done: a start now would hide a good backup, or spoil a good state */
  async prepare(): Promise<Prepared> {
    try {
      return await this.#prepare();
    } catch (error) {
      if (error instanceof StateNotReady) throw error;
      if (error instanceof NoRoom)
        throw new StateNotReady(
          "the backup needs more room than the disk has; a larger plan has more, and GET /api/admin/gateway/backups says how much is needed",
        );
      if (error instanceof NewerState) {
        await this.#o.newer(error);
        throw new StateNotReady(error.message);
      }
      this.#o.note("restore.failed", { message: String(error) });
      throw new StateNotReady("the backup could not be read or restored; it is tried again");
    }
  }

  async #prepare(): Promise<Prepared> {
    const listing = await this.#o.list();
    if (listing.foreign.length > 0) this.#o.note("backup.of-another-owner", { ids: listing.foreign });
    await this.#o.finishReplacing(listing);
    const isUnderWay = await this.#giveUpFailed(listing.own);
    const state = await this.#o.inspect();
    const restored = state.empty ? await this.#o.restorer.restore(listing.own) : undefined;
    const status = await this.#statusOf(listing.own, state, restored);
    if (status.hadBackup && !status.restored) this.#o.note("restore.unconfirmed", {});
    const isThere = !state.empty || (restored !== undefined && restored.outcome !== "none");
    const backup = isThere && !isUnderWay ? await this.#backupBefore(listing.own, state, restored) : undefined;
    return {
      status,
      variables: {
        // Only a state that follows on no backup may be called a new one.
        ...(!status.hadBackup && { STATE_ID: crypto.randomUUID() }),
        ...(backup !== undefined && { [STATE_BACKUP_VARIABLE]: backup }),
      },
    };
  }

  /**
   * What an upgrade that failed left is given up for the backup before it, when it is time for another attempt or the image is another one.
   *
   * @returns whether one is under way
   */
  async #giveUpFailed(own: readonly StoredBackup[]): Promise<boolean> {
    const { upgrade, sandbox, inspect } = this.#o;
    const failed = await upgrade.now();
    if (failed === undefined || failed === "under-way") return failed !== undefined;
    const { image } = await sandbox.askVersions();
    const isSame = image !== undefined && named(image) === named(failed.to);
    const what = `the state of ${named(failed.from)} could not be brought up to ${failed.to.version} (${failed.failure.message})`;
    const next = nextAttempt(failed);
    if (isSame && Date.now() < next.getTime())
      throw new StateNotReady(
        `${what}: ${remedyOf(failed)}; with this image it is tried again at ${next.toISOString()}`,
      );
    if (!(await inspect()).empty) {
      if (!own.some(({ id }) => id === failed.backup))
        throw new StateNotReady(
          `${what}, and backup ${failed.backup} of the state before is gone: restore another one by POST /api/admin/gateway/restore, or take the state as it is by POST /api/admin/gateway/backup/accept`,
        );
      await sandbox.sleep();
      this.#o.note("upgrade.given-up", { backup: failed.backup });
    }
    if (!isSame) await upgrade.forget();
    return false;
  }

  async #statusOf(
    own: readonly StoredBackup[],
    state: StateInfo,
    restored: Restored | undefined,
  ): Promise<RestoreStatus> {
    if (restored === undefined) return judgeRestore(own, state);
    if (restored.outcome === "occupied") return judgeRestore(own, await this.#o.inspect());
    // What is damaged is no backup any more.
    const isRestored = restored.outcome === "restored";
    return { hadBackup: isRestored, restored: isRestored };
  }

  /** @returns id of the backup of a state that the image's gateway is about to upgrade; `undefined` when it is not */
  async #backupBefore(
    own: readonly StoredBackup[],
    state: StateInfo,
    restored: Restored | undefined,
  ): Promise<string | undefined> {
    const told = restored?.outcome === "restored" ? restored.versions : undefined;
    const versions = told?.state === undefined ? await this.#o.sandbox.askVersions() : told;
    refuseNewer("the state", versions);
    if ((await this.#o.troubles.current())?.kind === "newer-state") await this.#o.troubles.clear();
    const { age, state: from, image: to } = versions;
    if (age !== "older" || from === undefined || to === undefined) return undefined;
    const isNew = own.length === 0 && state.id === undefined;
    const backup = restored?.outcome === "restored" ? restored.id : await this.#backUp(isNew, versions);
    await this.#o.upgrade.begins({ from, to, backup });
    return backup;
  }

  async #backUp(isNew: boolean, { state, image }: VersionAnswer): Promise<string> {
    try {
      return (await this.#o.backUp(isNew)).id;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new StateNotReady(
        `the state is of ${state?.name} ${state?.version}, older than this image's ${image?.version}, and could not be backed up before its upgrade: ${why}`,
      );
    }
  }
}
