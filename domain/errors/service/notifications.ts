/** Notifications that are not sent. */
import { defineErrors } from "../catalogue.ts";

export const notificationErrors = defineErrors({
  webhook_not_wanted: {
    message:
      "Not sent: the webhook was removed or disabled, or its user does not want this kind, or is no ADMIN any more.",
    remedy: "No action is required.",
  },
  webhook_not_signed: {
    message: "The service cannot sign webhooks without a connection to the dashboard.",
    remedy: "Set LIVE_URL and LIVE_TOKEN.",
  },
  webhook_interrupted: {
    message: "The delivery to the webhook was interrupted.",
    remedy: "No action is required: it is repeated.",
  },
  webhook_failed: {
    message: "The webhook did not accept the notification: {fault}",
    remedy: "No action is required: it is repeated, and its user sees the reason.",
  },
  mail_notification_not_wanted: {
    message: "Not sent: the user has unsubscribed, or is no ADMIN of a client any more.",
    remedy: "No action is required.",
  },
});
