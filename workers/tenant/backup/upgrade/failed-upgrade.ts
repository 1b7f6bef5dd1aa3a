/** Gives up the state that a failed upgrade left, when it is time for another attempt or the image has changed. */
import type { RecordEvent } from "../../event-log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import { StateNotReady } from "../start/state-not-ready.ts";
import type { StateReader } from "../state-reader.ts";
import type { StoredBackup } from "../stored/stored-backup.ts";
import type { ImageVersion } from "./image-version.ts";
import { named, nextAttempt, remedyOf, type StateUpgrade } from "./state-upgrade.ts";

export interface FailedUpgradeOptions {
  upgrade: Pick<StateUpgrade, "now" | "forget">;
  image: Pick<ImageVersion, "askVersions">;
  sandbox: Pick<SandboxPort, "sleep">;
  reader: Pick<StateReader, "state">;
  record: RecordEvent;
}

export class FailedUpgrade {
  readonly #o: FailedUpgradeOptions;

  constructor(options: FailedUpgradeOptions) {
    this.#o = options;
  }

  /**
   * Gives up the state of a failed upgrade for the backup before it.
   *
   * @returns whether an upgrade is under way
   * @throws StateNotReady when it is too early for another attempt, or the backup is gone
   */
  async giveUp(own: readonly StoredBackup[]): Promise<boolean> {
    const { upgrade, image, sandbox, reader, record } = this.#o;
    const failed = await upgrade.now();
    if (failed === undefined || failed === "under-way") return failed !== undefined;
    const { image: present } = await image.askVersions();
    const isSame = present !== undefined && named(present) === named(failed.to);
    const what = `the state of ${named(failed.from)} could not be brought up to ${failed.to.version} (${failed.failure.message})`;
    const next = nextAttempt(failed);
    if (isSame && Date.now() < next.getTime())
      throw new StateNotReady(
        `${what}: ${remedyOf(failed)}; with this image it is tried again at ${next.toISOString()}`,
      );
    if (!(await reader.state()).empty) {
      if (!own.some(({ id }) => id === failed.backup))
        throw new StateNotReady(
          `${what}, and backup ${failed.backup} of the state before is gone: restore another one by POST /api/admin/gateway/restore, or take the state as it is by POST /api/admin/gateway/backup/accept`,
        );
      await sandbox.sleep();
      record("upgrade.given-up", { backup: failed.backup });
    }
    if (!isSame) await upgrade.forget();
    return false;
  }
}
