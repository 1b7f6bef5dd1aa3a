/** The automation service: its start, the services that it calls, and mails. */
import { defineErrors } from "../catalogue.ts";

export const serviceErrors = defineErrors({
  service_variable_not_set: { message: "{name}: it is not set.", remedy: "Set it to {value}" },
  service_variable_invalid: { message: "{name}: {fault}.", remedy: "Set it to {value}" },
  service_secrets_not_set: {
    message: "{variable}: it is not set.",
    remedy: "Set it, or {alternatives}, to decrypt the stacks' secrets.",
  },
  health_port_not_available: {
    message: "Failed to serve health at {host}:{port} ({code}).",
    remedy: "Set HEALTH_HOST and HEALTH_PORT.",
  },
  engine_not_available: {
    message: "Failed to run the engine that deploys tenants: {fault}",
    remedy: "Add Pulumi's command line to PATH, or unset PLATFORM_STACK.",
  },
  queue_not_available: {
    message: "Failed to open the queue in the schema {schema}: {fault}",
    remedy: "Check DATABASE_URL, and run `pulumi up` of the platform's stack with this release: it installs the queue.",
  },
  queued_payload_invalid: {
    message: "The queued payload is invalid.",
    remedy: "Run the release that queued it, or delete the entry. Cause: {cause}",
  },
});

export const outsideErrors = defineErrors({
  called_service_unreachable: {
    message: "{service} cannot be reached at {host}{code}.",
    remedy: "Check its address and the network.",
  },
  called_service_refused: {
    message: "{service} returned HTTP {status} for {path}.",
    remedy: "Check its token and its log.",
  },
  called_service_response_invalid: {
    message: "{service} returned an invalid response for {path}: {fault}",
    remedy: "Deploy the platform's stack with this release.",
  },
  tenant_worker_not_found: {
    message: "The tenant has no Worker, or the dispatch Worker is of an earlier release.",
    remedy: "Deploy both.",
  },
  access_group_not_updated: {
    message: "Failed to set the members of the Access group '{name}': {fault}",
    remedy: "Check that CLOUDFLARE_API_TOKEN can edit Access groups.",
  },
  bucket_not_erased: {
    message: "Failed to erase the bucket {bucket}: {fault}",
    remedy: "Check that PROVISIONING_API_TOKEN can edit R2 buckets and their objects.",
  },
  erasure_not_checked: {
    message: "Failed to read at Cloudflare whether the {kind} is erased ({names}): {fault}",
    remedy: "Check that {token} has the permission {permission}. The erasure is retried.",
  },
  erasure_incomplete: {
    message: "Cloudflare still has resources of the erased client: {resources}.",
    remedy: "Delete them at Cloudflare. The erasure is retried, and then deletes the client.",
  },
  zone_not_listed: {
    message: "The API token sees no zone of the host {host}.",
    remedy: "Give it the permission DNS (Read) of the zone.",
  },
  list_not_whole: {
    message: "Cloudflare's list {path} changed while it was read.",
    remedy: "No action is required: it is read again.",
  },
  service_token_not_deleted: {
    message: "Failed to delete the Access service token {id}: {fault}",
    remedy: "Check that CLOUDFLARE_API_TOKEN can edit Access service tokens.",
  },
  service_tokens_right_missing: {
    message: "CLOUDFLARE_API_TOKEN cannot read Access service tokens.",
    remedy: "Give it the permission Access: Service Tokens (Edit).",
  },
  service_tokens_not_listed: {
    message: "Failed to list the Access service tokens: {fault}",
    remedy: "Check that CLOUDFLARE_API_TOKEN can edit Access service tokens.",
  },
  platform_access_group_not_found: {
    message: "The Access group '{name}' does not exist.",
    remedy: "Run `pulumi up` of the platform's stack.",
  },
  tenant_access_group_not_found: {
    message: "The Access group '{name}' does not exist.",
    remedy: "Run `pulumi up` of the tenant's stack.",
  },
  worker_not_built: {
    message: "Failed to build this release's Worker: exit code {code}.",
    remedy: "Run `npm run bundle` to see the error.",
  },
  worker_build_unreadable: {
    message: "Failed to build this release's Worker.",
    remedy: "Run `npm run bundle` to see the error.",
  },
  bundle_directory_not_private: { message: "Other users can access {directory}.", remedy: "Delete it." },
  stored_worker_damaged: {
    message: "The stored Worker {hash} is damaged.",
    remedy: "Withdraw it and choose another.",
  },
});

export const mailErrors = defineErrors({
  mail_server_refused: {
    message: "The mail server did not accept the mail: {fault}",
    remedy: "Check SMTP_URL and the mail server's log.",
  },
  mail_kind_unknown: {
    message: "Not sent: unknown kind of mail '{kind}'.",
    remedy: "Run a release that sends this kind.",
  },
  mail_recipient_invalid: {
    message: "Not sent: the recipient is not an e-mail address.",
    remedy: "Correct the user's address.",
  },
  mail_invitation_answered: {
    message: "Not sent: the invitation was answered already.",
    remedy: "No action is required.",
  },
  mail_invitation_expired: {
    message: "Not sent: the invitation has expired.",
    remedy: "Invite the user again.",
  },
  mail_user_removed: { message: "Not sent: the user was removed.", remedy: "No action is required." },
  mail_certificate_missing: {
    message: "Not sent: the erasure of the certificate does not exist.",
    remedy: "No action is required.",
  },
  mail_deletion_notice_invalid: {
    message: "Not sent: the data of the notice about a deletion is invalid.",
    remedy: "Deploy the automation service and the platform with the same version.",
  },
  mail_client_deleted: { message: "Not sent: the client was deleted.", remedy: "No action is required." },
  mail_notice_invalid: {
    message: "Not sent: the notice has no valid time.",
    remedy: "Check the rollout's maintenance window.",
  },
  mail_token_notice_invalid: {
    message: "Not sent: the data of the notice about a service token is invalid.",
    remedy: "Deploy the automation service and the platform with the same version.",
  },
  mail_token_expired: {
    message: "Not sent: the service token has expired.",
    remedy: "No action is required.",
  },
  mail_maintenance_over: {
    message: "Not sent: the maintenance is over.",
    remedy: "No action is required.",
  },
});

/** Incidents of instances. Message and remedy are stored apart. */
export const incidentErrors = defineErrors({
  webhooks_refused: {
    message:
      "The inbox is full. Further webhooks are refused with 503, and lost if their service does not send them again.",
    remedy:
      "Read why its messages wait or are dead (GET /api/instances/:instance_id/inbox), and correct the cause. Then replay or drop the dead ones, or change the plan.",
  },
  gateway_dead: {
    message: "The gateway has not been alive for five minutes: {fault}",
    remedy:
      "Restart its gateway (POST /client/instance/:instance_id/restart) and read its log. If the restart does not help, redeploy its Worker. If many gateways are dead, check Cloudflare's status and the dispatch Worker's log.",
  },
  backup_failing: {
    message: "The last backup failed, or its state must not be backed up.",
    remedy: "Read the reason (GET /api/admin/gateway/backups at the tenant), and correct it. The backup is repeated.",
  },
  version_differs: {
    message: "It reports {reported} instead of {wanted}.",
    remedy:
      "It is redeployed once automatically. If it still differs, check the job's events, and the image's version in the catalogue (GET /images).",
  },
});
