/** Failed, cancelled and waiting jobs, as the dashboard shows them. */
import { defineErrors } from "../catalogue.ts";

/** Why a job failed. `cause` has its own remedy. */
export const jobErrors = defineErrors({
  job_late: {
    message: "It missed its deadline.",
    remedy: "Request it again: completed steps are not repeated.",
  },
  job_kind_unknown: {
    message: "This release has no jobs of the kind '{kind}'.",
    remedy: "Change the stack's settings and run `pulumi up` instead.",
  },
  job_slug_invalid: {
    message: "The job has no valid slug.",
    remedy: "Request it again with a tenant's slug.",
  },
  job_without_engine: {
    message: "The automation service cannot deploy tenants.",
    remedy: "Set PLATFORM_STACK and the variables that it requires.",
  },
  channels_not_sent: {
    message: "Failed to send the tenant its channels: {cause}",
    remedy: "Correct the cause, then check the channel, which sends them again.",
  },
  provider_keys_not_sent: {
    message: "Failed to send the tenant its provider keys: {cause}",
    remedy: "Correct the cause, then retry the job, or store the key again.",
  },
  egress_not_sent: {
    message: "Failed to send the tenant its egress policy: {cause}",
    remedy: "Correct the cause, then retry the job, or store the policy again.",
  },
  service_stopped: { message: "The automation service stopped.", remedy: "Its next process continues." },
  job_stack_locked: {
    message: "The deployment waits for another run: {fault}",
    remedy:
      "The job continues when that run ends. If it is dead, unlock the stack: `npm run fleet -- recover STACK --force`.",
  },
  deployment_exceeds_account: {
    message: "The deployment exceeds a limit of the account: {fault}",
    remedy:
      "Delete unused resources, or have Cloudflare raise the limit; GET /capacity shows the usage. Then request it again.",
  },
  account_full: { message: "The account has no room for the tenant.", remedy: "{faults}" },
  account_full_others_have_room: {
    message: "The account has no room for the tenant.",
    remedy: "{faults} Other platforms that can host it: {platforms}.",
  },
  connections_not_closed: {
    message: "The tenant's Worker failed to close its connections.",
    remedy: "The service retries it. If it fails again, read the Worker's log.",
  },

  version_not_running_by_deadline: {
    message: "The new version did not run by the deadline.",
    remedy: "The job's events show its progress. Correct the cause and request it again.",
  },
  version_not_backed_up: {
    message: "The state could not be backed up before the change: {fault}",
    remedy: "Nothing was changed.",
  },
  version_did_not_run: {
    message: "The new version did not run in an earlier attempt.",
    remedy: "Read the job's events for the cause.",
  },
  version_withdrawn: {
    message: "The version was withdrawn before its planned start.",
    remedy: "Choose another version.",
  },
  version_backup_took_too_long: { message: "It missed its deadline.", remedy: "Request it again." },
  version_change_failed: {
    message: "The change to another version failed: {cause}",
    remedy: "Correct the cause, and request it again.",
  },
  version_change_rolled_back: {
    message: "The change to another version failed: {cause}",
    remedy: "The former version is being restored.",
  },
  version_not_rolled_back: {
    message: "The new version does not run: {fault} The former version could not be restored: {cause}",
    remedy: "Deploy the former version, or restore a backup.",
  },
  version_rolled_back: { message: "The new version does not run: {fault}", remedy: "The former version runs again." },
  state_not_upgraded: {
    message: "Failed to upgrade the state to {gateway} {version}: {fault}.",
    remedy: "Read the instance's log.",
  },
  state_too_new: {
    message: "The version cannot read the state: {fault}.",
    remedy: "Choose the version that wrote the state, or restore an earlier backup.",
  },
  gateway_not_running: {
    message: "The gateway did not run within {minutes} minutes: {fault}",
    remedy: "Read the instance's log.",
  },

  gateway_move_rolled_back: {
    message: "The deployment with the other AI gateway failed: {fault}",
    remedy: "The tenant uses {gateway} again.",
  },
  gateway_move_failed: {
    message: "The move to another AI gateway failed: {cause}",
    remedy: "Request it again.",
  },
  plan_change_failed: { message: "The change of its plan failed: {cause}", remedy: "Request it again." },
  token_rotation_failed: {
    message: "The rotation of its token failed: {cause}",
    remedy: "Request it again.",
  },
  provisioning_failed: {
    message: "Provisioning failed: {cause}",
    remedy:
      "Created resources and the AI gateway are kept. Correct the cause, and create the instance again to continue.",
  },
  provisioning_late: {
    message: "It was not provisioned by its deadline.",
    remedy: "Request the operation again, or run `pulumi up` of the stack that declares it.",
  },

  last_backup_failed: {
    message: "Failed to make the last backup, so nothing was removed: {cause}",
    remedy: "The service retries it.",
  },
  last_backup_refused: {
    message: "Failed to make the last backup, so nothing was removed: {cause}",
    remedy: "Correct the cause, or discard the state with discard_state.",
  },
  removal_failed: {
    message: "The removal failed, and the instance stays stopped: {cause}",
    remedy: "Request the removal again.",
  },
  deletion_late: {
    message: "The client was not deleted by the deadline.",
    remedy: "Correct the cause that the job's events name. The deletion is requested again.",
  },

  restore_late: {
    message: "The gateway was not ready by the deadline.",
    remedy:
      "The job's events show whether the backup is restored, and the instance's log why the gateway does not start.",
  },
  restored_gateway_not_ready: {
    message: "Backup {backup} is restored, but the gateway is not ready: {fault}.",
    remedy: "Read the instance's log.",
  },
  restore_failed: {
    message: "The restore failed: {cause}",
    remedy:
      "The job's events show whether the backup is restored, and which backup has the former state. Correct the cause and request it again, or restore another backup.",
  },
});

/** Why a job was cancelled: it has nothing left to do. */
export const overtakenJobs = defineErrors({
  instance_changed_status: {
    message: "The instance is {status} now.",
    remedy: "Request the operation again if it is still needed.",
  },
  version_left_to_provisioning: {
    message: "The instance is {status} now.",
    remedy: "Its next provisioning uses the wanted version.",
  },
  version_changed_meanwhile: {
    message: "The version was changed after this change was planned.",
    remedy: "Plan it again if it is still needed.",
  },
  version_pinned_meanwhile: {
    message: "An operator pinned the version after this change was planned.",
    remedy: "Ask your operator to unpin it, and plan the change again.",
  },
  gateway_left_to_provisioning: {
    message: "The instance is in error.",
    remedy: "Provision it again, with that gateway.",
  },
  instance_gone: {
    message: "The instance was deleted, or is declared in Git now.",
    remedy: "Change the stack's file if Git declares it.",
  },
  newer_operation: {
    message: "Another operation on the instance has begun.",
    remedy: "Request this one again after it if it is still needed.",
  },
  newer_operation_or_deletion: {
    message: "Another operation on the instance has begun, or it was deleted.",
    remedy: "Request this one again after it if it is still needed.",
  },
  deletion_undone: { message: "The client was restored.", remedy: "Delete it again if it is still needed." },
});

/** What a job waits for. */
export const waitingJobs = defineErrors({
  job_of_later_release: {
    message: "This release of the automation service has no jobs of this kind.",
    remedy: "The job waits for a release that has.",
  },
  deletion_waits_for_removal: {
    message: "The client's instance is being removed first.",
    remedy: "The client is deleted within a minute after that.",
  },
  deletion_waits_for_retry: {
    message: "The removal of the client's instance failed.",
    remedy: "It is retried a day later. Cause: {cause}",
  },
  deletion_waits_for_git_instance: {
    message: "The client's instance is declared in Git.",
    remedy:
      "Run `pulumi destroy` of its stack, or delete the tenant from the file. The client is deleted within a minute after that.",
  },
  deletion_waits_for_git_client: {
    message: "The client is declared by {stack}.",
    remedy: "Delete it from the file; the next `pulumi up` deletes it.",
  },
});
