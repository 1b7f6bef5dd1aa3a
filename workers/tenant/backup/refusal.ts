/** A backup, or a restore, was refused; the message says why and what to do. */
export class BackupRefused extends Error {
  override name = "BackupRefused";
}

/** There is no state: the sandbox sleeps, or is empty. */
export class NothingToBackUp extends BackupRefused {
  constructor(message = "There is no state to back up: the sandbox sleeps or is empty.") {
    super(message);
  }
}

/** The state is in the middle of an upgrade, or one that failed left it so: its backup before is what there is. */
export class HalfUpgraded extends NothingToBackUp {
  constructor() {
    super(
      "The state is in the middle of an upgrade, or as one left it that failed: it is not backed up, as the backup before is whole. GET /api/admin/gateway/status tells of it.",
    );
  }
}

/** A backup of this state would hide the newest one, which is of another. */
export class OtherState extends BackupRefused {
  constructor() {
    super(
      "This state is not that of the newest backup, so a backup of it would hide that one. Take it for the tenant's by POST /api/admin/gateway/backup/accept, or restore a backup by POST /api/admin/gateway/restore; GET /api/admin/gateway/backups lists them.",
    );
  }
}
