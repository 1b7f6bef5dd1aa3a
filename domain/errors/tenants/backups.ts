/** Errors of a tenant's backups and restores. */
import { defineErrors } from "../catalogue.ts";

export const backupErrors = defineErrors({
  backup_damaged: {
    code: "conflict",
    message: "The backup is damaged: {reason}.",
    remedy: "Choose another one.",
  },
  backup_failed: {
    code: "tenant_unavailable",
    message: "Failed to create the backup.",
    remedy: "Read the reason at the tenant's GET /api/admin/gateway/log.",
  },
  backup_not_found: {
    code: "not_found",
    message: "Backup not found.",
    remedy: "Choose one of GET /api/admin/gateway/backups.",
  },
  backup_of_other_state: {
    code: "conflict",
    message: "The newest backup is of another state, and a backup of this state would hide that one.",
    remedy:
      "Accept this state by POST /api/admin/gateway/backup/accept, or restore a backup by POST /api/admin/gateway/restore. GET /api/admin/gateway/backups lists backups.",
  },
  backup_of_upgrading_state: {
    code: "conflict",
    message:
      "The state was not backed up, because its upgrade is in progress or failed. The backup before the upgrade is complete.",
    remedy: "See the upgrade at GET /api/admin/gateway/status.",
  },
  kept_backups_full: {
    code: "conflict",
    message: "The tenant already keeps {most} backups, the most that it may keep.",
    remedy: "Stop keeping another one, or download this one.",
  },
  present_state_not_backed_up: {
    code: "conflict",
    message: "Nothing was changed, because the present state could not be backed up.",
    remedy: 'Read the reason at GET /api/admin/gateway/log. To delete the present state, send "discardPresent": true.',
  },
  restart_in_progress: {
    code: "conflict",
    message: "A restart is in progress.",
    remedy: "Try again when the gateway runs.",
  },
  restore_order_invalid: {
    code: "invalid_request",
    message: "The body names no backup.",
    remedy: 'Send { "backup": id }. GET /api/admin/gateway/backups lists ids.',
  },
  restored_state_too_new: {
    code: "conflict",
    message: "{fault}. Nothing was changed.",
    remedy: "Choose an older backup, or deploy a newer image.",
  },
  state_missing: {
    code: "conflict",
    message: "There is no state to back up: the sandbox sleeps or is empty.",
    remedy: "Start the gateway first.",
  },
});
