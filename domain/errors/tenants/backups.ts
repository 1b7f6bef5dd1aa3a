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
  backup_not_uploaded: {
    code: "conflict",
    message: "Only an uploaded backup can be deleted. The platform removes the others by its rules.",
    remedy: "Leave it.",
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
  upload_incomplete: {
    code: "invalid_request",
    message: "The upload ended before the file was complete. Nothing was stored.",
    remedy: "Upload the file again.",
  },
  upload_invalid: {
    code: "invalid_request",
    message: "The file is not a backup that can be restored: {fault}. Nothing was stored.",
    remedy: "Upload a file that was downloaded as a backup, without a change.",
  },
  upload_too_large: {
    code: "payload_too_large",
    message: "The file has more than {bytes} bytes. Nothing was stored.",
    remedy: "Ask your operator to copy the backup to this tenant's bucket.",
  },
  upload_too_new: {
    code: "conflict",
    message: "The backup is of {state}, newer than this tenant's {image}. Nothing was stored.",
    remedy: "Change the tenant's version to {state} or a newer one first, or upload an older backup.",
  },
  upload_without_length: {
    code: "invalid_request",
    message: "The request does not state the length of the file.",
    remedy: "Send the file with a Content-Length header.",
  },
  uploads_full: {
    code: "conflict",
    message: "The tenant already has {most} uploaded backups, the most that it may have.",
    remedy: "Delete one of them first.",
  },
});
