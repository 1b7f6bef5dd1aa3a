/** The webhook of an ADMIN, encrypted like the secrets of doors, for the row of the ADMIN. */
import { notificationWebhook } from "#workers/contracts/api/people/notification-signature.ts";
import { sealingOf } from "./door-secrets.ts";

export const { seal: sealNotificationWebhook, open: openNotificationWebhook } = sealingOf(
  "notification-webhook",
  notificationWebhook,
);
