/** Errors of the dashboard itself: its logins, its database, its live events. */
import { defineErrors } from "../catalogue.ts";

export const serviceErrors = defineErrors({
  access_ended: {
    code: "access_denied",
    message: "Your access ended during this request.",
    remedy: "Ask a platform root for access.",
  },
  call_log_not_available: {
    code: "tenant_unavailable",
    message: "The log of calls is temporarily unavailable.",
    remedy: "Try again in a moment.",
  },
  dashboard_error: {
    code: "internal",
    message: "An internal error occurred.",
    remedy: "Search the dashboard's log for {id}.",
  },
  dashboard_login_expired: {
    code: "authentication_required",
    message: "Your session has expired.",
    remedy: "Log in again.",
  },
  dashboard_login_missing: {
    code: "authentication_required",
    message: "The request has no login.",
    remedy: "Log in to use the dashboard.",
  },
  dashboard_misconfigured: {
    code: "internal",
    message: "The dashboard is misconfigured.",
    remedy: "Search its log for {id}, then deploy the platform again.",
  },
  change_not_confirmed: {
    code: "tenant_unavailable",
    message: "The database connection was lost before it confirmed the change, so the change may have taken effect.",
    remedy: "Check it, or repeat the request with the same `Idempotency-Key`.",
  },
  database_not_available: {
    code: "tenant_unavailable",
    message: "The database is not available.",
    remedy: "Try again in a moment.",
  },
  events_need_websocket: {
    code: "invalid_request",
    message: "This path only serves WebSockets.",
    remedy: "Open this path as a WebSocket.",
  },
  events_for_foreign_origin: {
    code: "forbidden",
    message: "Events are only sent to the dashboard's own pages.",
    remedy: "Open the dashboard instead.",
  },
  channels_order_invalid: {
    code: "invalid_request",
    message: "The body must be a list of encrypted channels.",
    remedy: "Send channels as `sealedChannelsOrder` of workers/contracts/tenant/channels.ts describes them.",
  },
  signature_order_invalid: {
    code: "invalid_request",
    message: "The body must be a notification with its encrypted webhook.",
    remedy: "Send it as `signatureOrder` of workers/contracts/api/people/notification-signature.ts describes it.",
  },
  webhook_unreadable: {
    code: "conflict",
    message: "The webhook cannot be decrypted.",
    remedy: "Ask its user to store it again.",
  },
  events_invalid: {
    code: "invalid_request",
    message: "The body must be a list of events.",
    remedy: "Send events as `liveEvents` of workers/contracts/live.ts describes them.",
  },
  events_token_missing: {
    code: "authentication_required",
    message: "The request has no valid token of the automation service.",
    remedy: "Send the token of the automation service as a bearer token.",
  },
  login_for_other_application: {
    code: "access_denied",
    message: "Your login is for another application.",
    remedy: "Log in at the address of the dashboard.",
  },
  logins_not_verifiable: {
    code: "tenant_unavailable",
    message: "Logins cannot be verified at the moment, because Access does not respond.",
    remedy: "Try again in a moment.",
  },
  not_a_dashboard_user: {
    code: "access_denied",
    message: "You are not a user of this dashboard.",
    remedy: "Ask a platform root to add you.",
  },
  too_many_open_dashboards: {
    code: "limit_exceeded",
    message: "You have {most} dashboards open.",
    remedy: "Close one.",
  },
  usage_not_available: {
    code: "tenant_unavailable",
    message: "The usage is temporarily unavailable.",
    remedy: "Try again in a moment.",
  },
});
