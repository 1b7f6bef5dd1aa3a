import type { StateInfo, VersionAnswer } from "#workers/contracts/tenant/sandbox.ts";
import type { BackupMaker } from "../create/maker.ts";
import { refuseNewer, StateNotReady } from "../errors.ts";
import type { FailureReports } from "../failure-reports.ts";
import type { Restored } from "../restore/restorer.ts";
import type { StoredBackup } from "../stored/stored-backup.ts";
import type { ImageVersion } from "./image-version.ts";
import type { StateUpgrade } from "./state-upgrade.ts";

export interface UpgradeBackupParts {
  upgrade: Pick<StateUpgrade, "begin">;
  image: Pick<ImageVersion, "getVersions">;
  maker: Pick<BackupMaker, "backUpBeforeUpgrade">;
  failures: Pick<FailureReports, "clearNewerState">;
}

/**
 * Ensures that a state has a backup before a newer gateway upgrades it.
 *
 * @returns the backup's id; `undefined` when the image's gateway will not upgrade the state
 * @throws NewerState when the state is newer than the image; StateNotReady when it cannot be backed up
 */
export async function backUpBeforeUpgrade(
  { upgrade, image, failures, maker }: UpgradeBackupParts,
  own: readonly StoredBackup[],
  state: StateInfo,
  restored: Restored | undefined,
): Promise<string | undefined> {
  const known = restored?.outcome === "restored" ? restored.versions : undefined;
  const versions = known?.state === undefined ? await image.getVersions() : known;
  refuseNewer("the state", versions);
  await failures.clearNewerState();
  const { age, state: from, image: to } = versions;
  if (age !== "older" || from === undefined || to === undefined) return undefined;
  const isNew = own.length === 0 && state.id === undefined;
  const backup = restored?.outcome === "restored" ? restored.id : await createBackup(maker, isNew, versions);
  await upgrade.begin({ from, to, backup });
  return backup;
}

async function createBackup(
  maker: UpgradeBackupParts["maker"],
  isNew: boolean,
  { state, image }: VersionAnswer,
): Promise<string> {
  try {
    return (await maker.backUpBeforeUpgrade(isNew)).id;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StateNotReady(
      `the state is of ${state?.name} ${state?.version}, older than this image's ${image?.version}, and could not be backed up before its upgrade: ${reason}`,
    );
  }
}
