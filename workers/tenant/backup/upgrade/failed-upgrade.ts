import type { RecordEvent } from "../../event-log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import { StateNotReady } from "../errors.ts";
import type { StateReader } from "../state-reader.ts";
import type { StoredBackup } from "../stored/stored-backup.ts";
import type { ImageVersion } from "./image-version.ts";
import { nameOf, nextAttempt, remedyOf, type StateUpgrade } from "./state-upgrade.ts";

export interface FailedUpgradeParts {
  upgrade: Pick<StateUpgrade, "current" | "forget">;
  image: Pick<ImageVersion, "getVersions">;
  sandbox: Pick<SandboxPort, "sleep">;
  reader: Pick<StateReader, "state">;
  record: RecordEvent;
}

/**
 * Gives up the state of a failed upgrade for the backup before it, when another attempt is due or the image has changed.
 *
 * @returns whether an upgrade is in progress
 * @throws StateNotReady when no attempt is due yet, or the backup is missing
 */
export async function giveUpFailedUpgrade(parts: FailedUpgradeParts, own: readonly StoredBackup[]): Promise<boolean> {
  const { upgrade, image, sandbox, reader, record } = parts;
  const failed = await upgrade.current();
  if (failed === undefined || failed === "under-way") return failed !== undefined;
  const { image: present } = await image.getVersions();
  const isSame = present !== undefined && nameOf(present) === nameOf(failed.to);
  const what = `the upgrade of the state from ${nameOf(failed.from)} to ${failed.to.version} failed (${failed.failure.message})`;
  const next = nextAttempt(failed);
  if (isSame && Date.now() < next.getTime())
    throw new StateNotReady(
      `${what}: ${remedyOf(failed)}; with this image the next attempt is at ${next.toISOString()}`,
    );
  if (!(await reader.state()).empty) {
    if (!own.some(({ id }) => id === failed.backup))
      throw new StateNotReady(
        `${what}, and the backup before it, ${failed.backup}, is missing: restore another one by POST /api/admin/gateway/restore, or accept the present state by POST /api/admin/gateway/backup/accept`,
      );
    await sandbox.sleep();
    record("upgrade.given-up", { backup: failed.backup });
  }
  if (!isSame) await upgrade.forget();
  return false;
}
