/** Errors of instances and of requests to tenants' Workers. */
import { defineErrors } from "../catalogue.ts";

export const instanceErrors = defineErrors({
  ai_gateway_already_bound: {
    code: "conflict",
    message: "The instance of {slug} already binds AI gateway {gateway}.",
    remedy: "Choose another AI gateway.",
  },
  ai_gateway_choice_requires_root: {
    code: "forbidden",
    message: "Permission denied: choosing the AI gateway requires the role ROOT.",
    remedy: "Omit it, or ask a platform root.",
  },
  ai_gateway_move_of_failed_instance: {
    code: "conflict",
    message: "The instance of {slug} is in error.",
    remedy: "Provision it again with the other gateway.",
  },
  ai_gateway_of_other_tenant: {
    code: "conflict",
    message: "AI gateway {gateway} belongs to another tenant.",
    remedy: "Choose another gateway.",
  },
  backup_not_listed: {
    code: "not_found",
    message: "Backup not found.",
    remedy: "List the instance's backups to choose one.",
  },
  dispatch_address_missing: {
    code: "tenant_unavailable",
    message: "This dashboard has no address of the dispatch Worker.",
    remedy: "Deploy the platform again.",
  },
  dispatch_token_rejected: {
    code: "tenant_unavailable",
    message: "The dispatch Worker does not accept the dashboard's token.",
    remedy: "Deploy the platform again.",
  },
  instance_already_exists: {
    code: "conflict",
    message: "The client {slug} already has an instance, which is {status}.",
    remedy: "Use that instance. Only an instance in error can be provisioned again.",
  },
  instance_being_removed: {
    code: "conflict",
    message: "The instance of {slug} is being removed.",
    remedy: "Wait until the removal ends.",
  },
  instance_changed_meanwhile: {
    code: "conflict",
    message: "The instance of {slug} changed at the same time.",
    remedy: "Try again.",
  },
  instance_halted: {
    code: "conflict",
    message: "The instance of {slug} is {status}.",
    remedy: "Resume it first.",
  },
  instance_not_deployed: {
    code: "conflict",
    message: "The instance of {slug} is {status}.",
    remedy: "Wait until it is deployed.",
  },
  instance_not_found: {
    code: "not_found",
    message: "Instance not found.",
    remedy: "Check its ID, and that your role has access to it.",
  },
  job_of_kind_open: {
    code: "conflict",
    message: "{by} requested another {kind} job of {slug}, which is queued or running.",
    remedy: "Wait until it ends, or cancel it.",
  },
  instance_pinned_by_operator: {
    code: "forbidden",
    message: "Your operator pinned the version of {slug}.",
    remedy: "Ask your operator to unpin it.",
  },
  kept_backups_require_root: {
    code: "forbidden",
    message: "Permission denied: using kept backups requires the role ROOT.",
    remedy: "Omit use_kept_backups, or ask a platform root.",
  },
  maintenance_window_missing: {
    code: "conflict",
    message: "The client {slug} has no maintenance window.",
    remedy: "Set one, or request the change for now.",
  },
  own_change_needs_running_instance: {
    code: "conflict",
    message: "The instance of {slug} is {status}. Its ADMINs change plan and version only while it runs.",
    remedy: "Wait until it runs, or ask your operator.",
  },
  refused_by_tenant: {
    code: "conflict",
    message: "The tenant's Worker refused the request.",
    remedy: "Read the Worker's message, which the response passes on.",
  },
  restore_needs_running_instance: {
    code: "conflict",
    message: "The instance of {slug} is {status}, and only a running instance can be restored.",
    remedy: "Wait until it runs, or resume it.",
  },
  state_newer_than_image: {
    code: "conflict",
    message: "The state of {slug} is of a newer gateway than {version}, which cannot read it.",
    remedy: "Specify a backup of {version} or older (GET /client/instance/{id}/backups) as backup_id.",
  },
  tenant_not_responding: {
    code: "gateway_unavailable",
    message: "The agent does not respond.",
    remedy: "Try again in a moment.",
  },
  tenant_response_unknown: {
    code: "gateway_unavailable",
    message: "The tenant sent an unknown response.",
    remedy: "Deploy it again as an operator, or ask one.",
  },
  tenant_without_order: {
    code: "conflict",
    message: "The tenant's Worker is of an earlier version, which does not have this operation.",
    remedy: "Deploy the tenant as an operator, or ask one, and try again.",
  },
  tenant_without_worker: {
    code: "conflict",
    message: "The tenant has no Worker.",
    remedy: "Provision it first.",
  },
});
