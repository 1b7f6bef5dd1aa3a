/** Errors of notification settings. */
import { defineErrors } from "../catalogue.ts";

export const notificationErrors = defineErrors({
  notification_settings_of_admin: {
    code: "forbidden",
    message: "Only an ADMIN of a client has notification settings.",
    remedy: "Ask an ADMIN, or read what was sent with GET /api/clients/:client_id/notifications/deliveries.",
  },
});
