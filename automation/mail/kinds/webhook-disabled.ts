/** Informs an ADMIN that its webhook was disabled. */
import * as z from "zod";
import { findRecipient } from "#database/notifications/mailed.ts";
import { CONSOLE_ENTRY } from "#domain/access/access-addresses.ts";
import { errorMessage } from "#domain/errors/catalogue-error.ts";
import { notificationErrors } from "#domain/errors/service/notifications.ts";
import { momentText } from "#domain/notifications/texts.ts";
import { headerText } from "#workers/shared/mail/content.ts";
import { greeting, type MailKind } from "../kind.ts";

/** Written by `failWebhook`. */
const notice = z.object({ host: z.string(), since: z.string().transform((at) => momentText(new Date(at))) });

export const webhookDisabled: MailKind = {
  name: "webhook_disabled",
  async prepare({ transaction, mail, tenantUrl }) {
    const { data } = notice.safeParse(mail.data);
    const recipient = mail.client_user_id && (await findRecipient(transaction, mail.client_user_id));
    if (!recipient || data === undefined || mail.client_slug === null) {
      return { dropped: errorMessage(notificationErrors.mail_notification_not_wanted) };
    }
    const client = headerText(mail.client_name ?? "your tenant");
    return {
      message: {
        subject: headerText(`Webhook for notifications of ${client} disabled`),
        paragraphs: [
          greeting(mail),
          `Your webhook at ${headerText(data.host)} has accepted no notification of ${client} since ${data.since}. It was disabled.`,
          "What you chose to get there arrives by mail. Correct the webhook, then store it again in the console.",
        ],
        action: { label: `Open ${client}`, url: `${tenantUrl(mail.client_slug)}${CONSOLE_ENTRY}` },
      },
    };
  },
};
