/** One notification, or a digest of several. */
import { createHash, randomBytes } from "node:crypto";
import {
  dropDeliveries,
  findRecipient,
  insertUnsubscribe,
  listMailed,
  type MailedNotification,
  type MailRecipient,
} from "#database/notifications/mailed.ts";
import { CONSOLE_ENTRY, UNSUBSCRIBE_PATH } from "#domain/access/access-addresses.ts";
import { errorMessage } from "#domain/errors/catalogue-error.ts";
import { notificationErrors } from "#domain/errors/service/notifications.ts";
import { effectiveChoice, notificationKinds } from "#domain/notifications/kinds.ts";
import { momentText, notificationText } from "#domain/notifications/texts.ts";
import { headerText, type Message } from "#workers/shared/mail/content.ts";
import { greeting, type MailKind } from "../kind.ts";

const TOKEN_BYTES = 32;
const NOT_WANTED = errorMessage(notificationErrors.mail_notification_not_wanted);

export const notification: MailKind = {
  name: "notification",
  async prepare({ transaction, mail, dashboardUrl, tenantUrl }) {
    const found = await listMailed(transaction, mail.id);
    const userId = mail.client_user_id;
    const recipient = userId === null ? undefined : await findRecipient(transaction, userId);
    const off = recipient && kindsWithoutMail(recipient);
    const isWanted = ({ kind }: MailedNotification) => off !== undefined && !off.includes(kind);
    const wanted = found.filter(isWanted);
    const unwanted = found.filter((one) => !isWanted(one)).map(({ delivery_id }) => delivery_id);
    await dropDeliveries(transaction, unwanted, NOT_WANTED);
    const [first] = wanted;
    if (userId === null || first === undefined || mail.client_slug === null) return { dropped: NOT_WANTED };
    const client = headerText(mail.client_name ?? "your tenant");
    const kinds = [...new Set(wanted.map(({ kind }) => kind))].filter((kind) =>
      notificationKinds.some((one) => one === kind),
    );
    const unsubscribeUrl = await unsubscribeLink(kinds, `${dashboardUrl}${UNSUBSCRIBE_PATH}`, (tokenHash) =>
      insertUnsubscribe(transaction, { tokenHash, clientUserId: userId, kinds }),
    );
    return {
      message: {
        ...contentOf(wanted, client, greeting(mail)),
        action: { label: `Open ${client}`, url: `${tenantUrl(mail.client_slug)}${CONSOLE_ENTRY}` },
        ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
      },
    };
  },
};

const kindsWithoutMail = ({ choices, webhook_disabled }: MailRecipient): readonly string[] =>
  notificationKinds.filter((kind) => effectiveChoice(choices, kind, webhook_disabled)?.mail === "off");

function contentOf(
  notifications: readonly MailedNotification[],
  client: string,
  greeting: string,
): Pick<Message, "subject" | "paragraphs"> {
  const texts = notifications.map(({ kind, data, occurred_at }) => ({
    ...notificationText(kind, data, client),
    at: momentText(occurred_at),
  }));
  const [only] = texts;
  if (only !== undefined && texts.length === 1) {
    return {
      subject: headerText(only.subject),
      paragraphs: [greeting, `${only.subject}.`, ...only.details, `Time: ${only.at}.`],
    };
  }
  return {
    subject: headerText(`${texts.length} notifications of ${client}`),
    paragraphs: [greeting, ...texts.map(({ subject, details, at }) => `${at}: ${subject}. ${details.join(" ")}`)],
  };
}

/** @returns undefined for a test, which has nothing to unsubscribe from */
async function unsubscribeLink(
  kinds: readonly string[],
  base: string,
  store: (tokenHash: Buffer) => Promise<void>,
): Promise<string | undefined> {
  if (kinds.length === 0) return undefined;
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  await store(createHash("sha256").update(token).digest());
  return `${base}/${token}`;
}
