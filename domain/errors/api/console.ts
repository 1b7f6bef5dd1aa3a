/** Errors of the console, where users of a tenant manage it. */
import { defineErrors } from "../catalogue.ts";

export const consoleErrors = defineErrors({
  console_access_ended: {
    code: "access_denied",
    message: "You are not a user of this tenant.",
    remedy: "Log in with the email address that was invited. Operators use the dashboard instead.",
  },
  console_admin_required: {
    code: "forbidden",
    message: "This part of the console requires the role ADMIN of the tenant.",
    remedy: "Ask an administrator of the tenant.",
  },
  console_cookie_missing: {
    code: "authentication_required",
    message: "The browser did not store the cookie of the login.",
    remedy: "Allow cookies of this site, and open the console from the tenant again.",
  },
  console_session_missing: {
    code: "authentication_required",
    message: "The login at the console is missing or has expired.",
    remedy: "Log in again at the agent. Programs get a session by POST /.tenantry/session of the tenant's host.",
  },
  console_service_token_refused: {
    code: "access_denied",
    message: "The service token was revoked or has expired, or its user lost access to this tenant.",
    remedy: "Create another service token in the console.",
  },
  console_view_read_only: {
    code: "forbidden",
    message: "You view this tenant as its ADMIN, and cannot change or download anything here.",
    remedy: "Use the dashboard for changes.",
  },
  notification_settings_of_admin: {
    code: "forbidden",
    message: "Only an ADMIN of a client has notification settings.",
    remedy: "Ask an ADMIN, or read what was sent with GET /api/clients/:client_id/notifications/deliveries.",
  },
});
