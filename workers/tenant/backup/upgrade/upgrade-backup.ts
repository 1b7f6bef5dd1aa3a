/** Ensures that a state has a backup before a newer gateway upgrades it, and refuses a state that is newer than the image. */
import type { StateInfo, VersionAnswer } from "#workers/contracts/tenant/sandbox.ts";
import type { BackupMaker } from "../create/maker.ts";
import type { FailureReports } from "../failure-reports.ts";
import type { Restored } from "../restore/restorer.ts";
import { StateNotReady } from "../start/state-not-ready.ts";
import type { StoredBackup } from "../stored/stored-backup.ts";
import type { ImageVersion } from "./image-version.ts";
import { refuseNewer } from "./newer-state.ts";
import type { StateUpgrade } from "./state-upgrade.ts";

export interface UpgradeBackupOptions {
  upgrade: Pick<StateUpgrade, "begins">;
  image: Pick<ImageVersion, "askVersions">;
  maker: Pick<BackupMaker, "backUpBeforeUpgrade">;
  failures: Pick<FailureReports, "stateIsUsable">;
}

export class UpgradeBackup {
  readonly #o: UpgradeBackupOptions;

  constructor(options: UpgradeBackupOptions) {
    this.#o = options;
  }

  /**
   * Call before a start.
   *
   * @returns the id of the backup of a state that the image's gateway will upgrade; `undefined` when it will not upgrade it
   * @throws NewerState when the state is newer than the image; StateNotReady when it cannot be backed up
   */
  async before(
    own: readonly StoredBackup[],
    state: StateInfo,
    restored: Restored | undefined,
  ): Promise<string | undefined> {
    const { upgrade, image, failures } = this.#o;
    const known = restored?.outcome === "restored" ? restored.versions : undefined;
    const versions = known?.state === undefined ? await image.askVersions() : known;
    refuseNewer("the state", versions);
    await failures.stateIsUsable();
    const { age, state: from, image: to } = versions;
    if (age !== "older" || from === undefined || to === undefined) return undefined;
    const isNew = own.length === 0 && state.id === undefined;
    const backup = restored?.outcome === "restored" ? restored.id : await this.#backUp(isNew, versions);
    await upgrade.begins({ from, to, backup });
    return backup;
  }

  async #backUp(isNew: boolean, { state, image }: VersionAnswer): Promise<string> {
    try {
      return (await this.#o.maker.backUpBeforeUpgrade(isNew)).id;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new StateNotReady(
        `the state is of ${state?.name} ${state?.version}, older than this image's ${image?.version}, and could not be backed up before its upgrade: ${why}`,
      );
    }
  }
}
