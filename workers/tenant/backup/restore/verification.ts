/** Checks that a chosen backup can be restored with the present image. */
import { BackupRefused } from "../refusal.ts";
import { DamagedBackup } from "../stored/damage.ts";
import type { BackupStore } from "../stored/store.ts";
import type { StoredBackup } from "../stored/stored-backup.ts";
import type { ImageVersion } from "../upgrade/image-version.ts";
import { NewerState, refuseNewer } from "../upgrade/newer-state.ts";
import type { StateUpgrade } from "../upgrade/state-upgrade.ts";

export interface BackupVerificationOptions {
  store: Pick<BackupStore, "verify">;
  image: Pick<ImageVersion, "askVersions">;
  upgrade: Pick<StateUpgrade, "now">;
}

export class BackupVerification {
  readonly #o: BackupVerificationOptions;

  constructor(options: BackupVerificationOptions) {
    this.#o = options;
  }

  /**
   * Verifies a backup. Wakes the sandbox.
   *
   * @throws BackupRefused when it is damaged, or a newer gateway than the image's wrote its state
   */
  async verify({ id, gateway }: Pick<StoredBackup, "id" | "gateway">): Promise<void> {
    const { store, image, upgrade } = this.#o;
    try {
      // Completes an upgrade while its gateway still runs: the restore ends that gateway.
      await upgrade.now();
      if (gateway !== undefined) refuseNewer(`The state of backup ${id}`, await image.askVersions(gateway));
      await store.verify(id);
    } catch (error) {
      if (error instanceof NewerState) throw new BackupRefused(`${error.message}. Nothing was changed.`);
      throw error instanceof DamagedBackup ? new BackupRefused(`That backup is damaged: ${error.message}.`) : error;
    }
  }
}
