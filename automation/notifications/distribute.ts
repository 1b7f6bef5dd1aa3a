/** Creates the deliveries of a notification: one per ADMIN and chosen channel. */
import * as z from "zod";
import {
  distribute,
  listRecipients,
  lockUndistributed,
  type NewDelivery,
  type Recipient,
  type Undistributed,
} from "#database/notifications/distribution.ts";
import { effectiveChoice } from "#domain/notifications/kinds.ts";
import { TEST_KIND } from "#domain/notifications/texts.ts";
import { defineTask, type Task } from "../task.ts";

const payload = z.object({ id: z.uuid() });
/** The user who gets another mail about the same. */
const mailed = z.looseObject({ mailed: z.uuid().nullish() }).catch({});

export const distributeTask: Task = defineTask("notification", payload, async ({ id }, { db, log }) => {
  await db.transaction().execute(async (tx) => {
    const notification = await lockUndistributed(tx, id);
    if (notification === undefined) return;
    const recipients = await listRecipients(tx, notification);
    const deliveries = recipients.flatMap((recipient) => deliveriesOf(notification, recipient));
    await distribute(tx, notification, deliveries);
    log("info", "notification_distributed", {
      notification: id,
      kind: notification.kind,
      deliveries: deliveries.length,
    });
  });
});

function deliveriesOf({ kind, data }: Pick<Undistributed, "kind" | "data">, recipient: Recipient): NewDelivery[] {
  const isReady = recipient.webhook === "ready";
  const byWebhook: NewDelivery = { recipient, channel: "webhook", waits: false };
  if (kind === TEST_KIND) {
    return [{ recipient, channel: "mail", waits: false }, ...(isReady ? [byWebhook] : [])];
  }
  const choice = effectiveChoice(recipient.choices, kind, recipient.webhook === "disabled");
  if (choice === undefined) return [];
  const isMailed = mailed.parse(data).mailed === recipient.id;
  const byMail: NewDelivery = { recipient, channel: "mail", waits: choice.mail === "daily" };
  return [...(choice.mail === "off" || isMailed ? [] : [byMail]), ...(choice.webhook && isReady ? [byWebhook] : [])];
}
