/** Errors of requests to tenants' addresses, from the dispatch Worker. */
import { defineErrors } from "../catalogue.ts";

export const trafficErrors = defineErrors({
  backup_id_invalid: {
    code: "invalid_request",
    message: "The path must end in a backup's id, after the slug.",
    remedy: "Correct the path.",
  },
  cache_not_cleared: {
    code: "tenant_unavailable",
    message: "Failed to clear the cache.",
    remedy: "Try again.",
  },
  call_log_not_readable: {
    code: "tenant_unavailable",
    message: "The log of the AI gateway cannot be read.",
    remedy: "Try again.",
  },
  client_not_activated: {
    code: "client_not_active",
    message: "This tenant is not active.",
    remedy: "Ask its operator to activate it.",
  },
  console_requires_navigation: {
    code: "forbidden",
    message: "The console opens as a page only, and not for a script of another page.",
    remedy: "Open the address in the browser.",
  },
  console_requires_person: {
    code: "forbidden",
    message: "Pages of the console admit people only, and no service token.",
    remedy: "Log in with a browser. Programs get a session by POST /.tenantry/session.",
  },
  console_session_requires_program: {
    code: "forbidden",
    message: "A browser gets no session for programs, because other pages of the tenant run in it.",
    remedy: "Send the request from a program.",
  },
  console_session_requires_token: {
    code: "forbidden",
    message: "Sessions for programs require a service token.",
    remedy: "Send the headers of a service token of this tenant, or open the console in a browser.",
  },
  console_session_requires_user: {
    code: "forbidden",
    message: "The service token belongs to no user of this tenant.",
    remedy: "Create a service token in the console.",
  },
  dispatch_provider_key_unreadable: {
    code: "conflict",
    message: "The provider key {id} cannot be decrypted.",
    remedy: "Store the key again.",
  },
  dispatch_egress_secret_unreadable: {
    code: "conflict",
    message: "The egress secret {id} cannot be decrypted.",
    remedy: "Store the secret again.",
  },
  dispatch_channel_unreadable: {
    code: "conflict",
    message: "The token of the channel {id} cannot be decrypted.",
    remedy: "Delete the channel and connect it again.",
  },
  dispatch_file_order_invalid: {
    code: "invalid_request",
    message: "The body is not a valid order.",
    remedy: 'Send { "path", "text", "hash" } as JSON.',
  },
  dispatch_file_query_invalid: {
    code: "invalid_request",
    message: "The query is invalid.",
    remedy: "Send `path`, relative to the state.",
  },
  dispatch_call_query_invalid: {
    code: "invalid_request",
    message: "The query is invalid.",
    remedy: "Send `gateway`, `tenant`, `since` and `limit` of 1 to 100, and optionally `after`, `model` and `outcome`.",
  },
  dispatch_inbox_query_invalid: {
    code: "invalid_request",
    message: "The query is invalid.",
    remedy: "Send `state`, `after` of the previous page and `limit` of 1 to 200, or none of them.",
  },
  dispatch_inbox_selection_invalid: {
    code: "invalid_request",
    message: "The body is not a valid selection of messages.",
    remedy: 'Send { "ids" } with 1 to 200 IDs, or { "all": true }, as JSON.',
  },
  dispatch_kept_order_invalid: {
    code: "invalid_request",
    message: "The body is not a valid order.",
    remedy: 'Send { "kept" } as JSON.',
  },
  dispatch_restore_order_invalid: {
    code: "invalid_request",
    message: "The body is not a valid order.",
    remedy: 'Send { "discardPresent", "order" } as JSON, or no body.',
  },
  dispatch_sleep_order_invalid: {
    code: "invalid_request",
    message: "The body is not a valid order.",
    remedy: 'Send { "wakeAfterSeconds" } with 1 to 2592000 seconds as JSON, or no body.',
  },
  door_hash_invalid: {
    code: "invalid_request",
    message: "The path must end in the SHA-256 hash of a door's key, in lower-case hex.",
    remedy: "Correct the path.",
  },
  door_unavailable: {
    code: "tenant_unavailable",
    message: "The webhook was not stored.",
    remedy: "Send it again.",
  },
  invalidation_token_missing: {
    code: "authentication_required",
    message: "The request has no valid invalidation token.",
    remedy: "Send the invalidation token as a bearer token.",
  },
  path_reserved: {
    code: "not_found",
    message: "Nothing exists at this address.",
    remedy: "Check the path.",
  },
  plan_limits_exceeded: {
    code: "limit_exceeded",
    message: "The request exceeded the limits of this tenant's plan.",
    remedy: "Try again, or choose a larger plan.",
  },
  platform_error: {
    code: "internal",
    message: "Something went wrong.",
    remedy: "Search the platform's log for {id}.",
  },
  platform_misconfigured: {
    code: "internal",
    message: "The platform is misconfigured.",
    remedy: "Search its log for {id}, then deploy it again.",
  },
  platform_unavailable: {
    code: "tenant_unavailable",
    message: "The platform is temporarily unavailable.",
    remedy: "Try again.",
  },
  request_of_foreign_page: {
    code: "forbidden",
    message: "The request comes from a page of another origin.",
    remedy: "Send it from a page of this tenant.",
  },
  service_token_refused: {
    code: "access_denied",
    message: "The service token is not valid at this tenant: it was revoked or has expired, or its user lost access.",
    remedy: "Ask the operator for another token.",
  },
  tenant_access_changed: {
    code: "tenant_unavailable",
    message: "Users or settings of this tenant have just changed, so the request was not passed on.",
    remedy: "Send it again.",
  },
  tenant_address_unknown: {
    code: "tenant_not_found",
    message: "No tenant has this address.",
    remedy: "Check the address.",
  },
  tenant_being_set_up: {
    code: "tenant_unavailable",
    message: "This tenant is being set up.",
    remedy: "Try again in a moment.",
  },
  tenant_frozen: {
    code: "instance_frozen",
    message: "This tenant is frozen.",
    remedy:
      "Ask its operator to unfreeze it. Its administrators can download its backups at /api/admin/gateway/backups.",
  },
  tenant_login_expired: {
    code: "authentication_required",
    message: "Your session has expired.",
    remedy: "Log in again.",
  },
  tenant_login_for_other: {
    code: "access_denied",
    message: "Your login is for another tenant.",
    remedy: "Log in at this tenant's address.",
  },
  tenant_login_missing: {
    code: "authentication_required",
    message: "You are not logged in.",
    remedy: "Log in to reach this tenant.",
  },
  tenant_no_response: {
    code: "gateway_unavailable",
    message: "The tenant did not respond.",
    remedy: "Try again.",
  },
  tenant_slug_invalid: {
    code: "invalid_request",
    message: "The path must end in a tenant's slug.",
    remedy: "Correct the path.",
  },
  tenant_stopped: {
    code: "instance_stopped",
    message: "This tenant is stopped.",
    remedy: "Ask its operator to start it.",
  },
  tenant_user_unknown: {
    code: "access_denied",
    message: "You are not a user of this tenant.",
    remedy: "Ask its administrator to invite you.",
  },
  tenant_worker_missing: {
    code: "tenant_not_found",
    message: "The tenant does not exist.",
    remedy: "Check the slug.",
  },
  tenant_worker_no_response: {
    code: "gateway_unavailable",
    message: "The tenant's Worker did not respond.",
    remedy: "Try again.",
  },
  too_many_health_requests: {
    code: "limit_exceeded",
    message: "Too many health requests.",
    remedy: "Wait before the next one.",
  },
  too_many_unknown_doors: {
    code: "limit_exceeded",
    message: "Too many webhooks for unknown addresses.",
    remedy: "Wait before the next one.",
  },
  too_many_unknown_tenants: {
    code: "limit_exceeded",
    message: "Too many requests for unknown tenants.",
    remedy: "Wait before the next one.",
  },
  webhook_not_accepted: {
    code: "not_found",
    message: "No webhook was accepted at this address.",
    remedy: "Check the address and the signature.",
  },
});
