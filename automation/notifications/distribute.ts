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
import { completeChoices, notificationKinds } from "#domain/notifications/kinds.ts";
import { TEST_KIND } from "#domain/notifications/texts.ts";
import { defineTask, type Task } from "../task.ts";

const payload = z.object({ id: z.uuid() });
const kindOf = z.enum(notificationKinds);
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

/** A webhook that is disabled is replaced by a mail. */
function deliveriesOf({ kind, data }: Pick<Undistributed, "kind" | "data">, recipient: Recipient): NewDelivery[] {
  const isReady = recipient.webhook === "ready";
  const byWebhook: NewDelivery = { recipient, channel: "webhook", waits: false };
  if (kind === TEST_KIND) {
    return [{ recipient, channel: "mail", waits: false }, ...(isReady ? [byWebhook] : [])];
  }
  const known = kindOf.safeParse(kind).data;
  if (known === undefined) return [];
  const { mail, webhook } = completeChoices(recipient.choices)[known];
  const isMailed = mailed.parse(data).mailed === recipient.id;
  const chosen = mail === "off" && webhook && recipient.webhook === "disabled" ? "at_once" : mail;
  const byMail: NewDelivery = { recipient, channel: "mail", waits: chosen === "daily" };
  return [...(chosen === "off" || isMailed ? [] : [byMail]), ...(webhook && isReady ? [byWebhook] : [])];
}
