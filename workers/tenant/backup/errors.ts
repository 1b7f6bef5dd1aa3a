/** Errors of backups and restores. Their messages are shown to administrators. */
import type { VersionAnswer } from "#workers/contracts/tenant/sandbox.ts";

/** A backup or a restore was refused. */
export class BackupRefused extends Error {
  override name = "BackupRefused";
}

/** No state exists: the sandbox sleeps or is empty. */
export class NothingToBackUp extends BackupRefused {
  constructor(message = "There is no state to back up: the sandbox sleeps or is empty.") {
    super(message);
  }
}

/** An upgrade of the state is in progress or failed. */
export class HalfUpgraded extends NothingToBackUp {
  constructor() {
    super(
      "The state was not backed up, because its upgrade is in progress or failed. The backup before the upgrade is complete. GET /api/admin/gateway/status shows the upgrade.",
    );
  }
}

/** The newest backup is of another state, and a backup of this one would hide it. */
export class OtherState extends BackupRefused {
  constructor() {
    super(
      "The newest backup is of another state, and a backup of this state would hide that one. Accept this state by POST /api/admin/gateway/backup/accept, or restore a backup by POST /api/admin/gateway/restore. GET /api/admin/gateway/backups lists backups.",
    );
  }
}

/** The gateway must not start with the state. The health snapshot shows the message. */
export class StateNotReady extends Error {
  override name = "StateNotReady";
}

/** A backup is damaged, so it cannot be restored. The message gives the reason. */
export class DamagedBackup extends Error {
  override name = "DamagedBackup";
}

/** The disk has no room for a backup. */
export class NotEnoughDisk extends Error {
  override name = "NoRoom";
}

/** A newer gateway than the image's wrote the state. */
export class NewerState extends Error {
  override name = "NewerState";
}

/** @param what names the state in the message, such as `the state` @throws NewerState when a newer gateway wrote it */
export function refuseNewer(what: string, { age, state, image }: VersionAnswer): void {
  if (age !== "newer" || state === undefined || image === undefined) return;
  throw new NewerState(
    `${what} is of ${state.name} ${state.version}, newer than this image's ${image.version}: deploy an image with ${state.version} or newer, or restore a backup of ${image.version} or older; GET /api/admin/gateway/backups lists backups`,
  );
}
