/** How the dashboard signs a notification for the automation service, which cannot decrypt webhooks: `POST` with the bearer token of events. */
import * as z from "zod";
import { LIVE_PUSH_PATH } from "#domain/access/access-addresses.ts";
import { MAX_WEBHOOK_URL, webhookUrlFault } from "#domain/notifications/webhook-url.ts";

/** Below the path of events, whose Access application covers it. */
export const SIGN_NOTIFICATION_PATH = `${LIVE_PUSH_PATH}/notifications/sign`;

const url = z
  .string()
  .max(MAX_WEBHOOK_URL)
  .superRefine((text, context) => {
    const fault = webhookUrlFault(text);
    if (fault !== undefined) context.addIssue(fault);
  });

/** What is encrypted of a webhook (`workers/shared/doors/notification-webhook.ts`). `secret`: as Standard Webhooks write it. */
export const notificationWebhook = z.strictObject({ url, secret: z.string().regex(/^whsec_[A-Za-z0-9+/]{43}=$/) });
export const webhookUrl = url;

export const signatureOrder = z.strictObject({
  client_user_id: z.uuid(),
  credentials: z.base64(),
  /** The same for each attempt. */
  webhook_id: z.uuid(),
  body: z.string().max(64 * 1024),
});
export type SignatureOrder = z.infer<typeof signatureOrder>;

export const signedNotification = z.object({ url, headers: z.record(z.string(), z.string()) });
export type SignedNotification = z.infer<typeof signedNotification>;
