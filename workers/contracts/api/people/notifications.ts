/** What ADMINs are notified of, in the API: each has its own settings. */
import * as z from "zod";
import { instant } from "#domain/entities/entity.ts";
import { notificationDelivery } from "#domain/notifications/delivery.ts";
import { changedChoices, notificationChoices } from "#domain/notifications/kinds.ts";
import { pageOf, pageQuery } from "../paging.ts";
import { ROOTS_AND_ADMINS, route, routes } from "../route.ts";
import { webhookUrl } from "./notification-signature.ts";

const ofClient = z.object({ client_id: z.uuid() });

export const notificationSettings = z.object({
  kinds: notificationChoices,
  webhook: z
    .object({
      host: z.string(),
      /** Since when each delivery has failed; null if the last one did not. */
      failing_since: instant.nullable(),
      /** When it was disabled, because it failed for days. Mails replace it. */
      disabled_at: instant.nullable(),
    })
    .nullable(),
  version: z.int(),
});
export type NotificationSettings = z.infer<typeof notificationSettings>;

/** Settings belong to the calling ADMIN. Roots read the defaults and the deliveries. */
export const notificationRoutes = routes("notifications", {
  getNotificationSettings: route("get", "/api/clients/:client_id/notifications", {
    summary: "Read your notification settings",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    answer: notificationSettings,
  }),
  setNotificationSettings: route("put", "/api/clients/:client_id/notifications", {
    summary: "Change your notification settings",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    body: z.strictObject({
      /** Kinds that are absent stay as they are. */
      kinds: changedChoices.optional(),
      /** Replaces the webhook; null removes it. Default: it stays as it is. */
      webhook: z.strictObject({ url: webhookUrl }).nullable().optional(),
    }),
    /** The secret of a replaced webhook, which no other response has. */
    answer: notificationSettings.extend({ webhook_secret: z.string().nullable() }),
    confidential: true,
    versioned: true,
  }),
  testNotifications: route("post", "/api/clients/:client_id/notifications/test", {
    summary: "Send yourself a test notification",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    status: 202,
    answer: z.object({ requested: z.literal(true) }),
  }),
  listNotificationDeliveries: route("get", "/api/clients/:client_id/notifications/deliveries", {
    summary: "List what was sent",
    callers: ROOTS_AND_ADMINS,
    params: ofClient,
    query: pageQuery,
    answer: pageOf(notificationDelivery),
  }),
});
