/** Informs an ADMIN that another ADMIN deleted, erased or restored the client. */
import * as z from "zod";
import { CONSOLE_ENTRY } from "#domain/access/access-addresses.ts";
import { errorMessage } from "#domain/errors/catalogue-error.ts";
import { mailErrors } from "#domain/errors/service/automation.ts";
import { momentText } from "#domain/notifications/texts.ts";
import { headerText } from "#workers/shared/mail/content.ts";
import { greeting, type MailKind } from "../kind.ts";

/** Written by `tenantry.mail_deletion`. */
const notice = z.object({
  what: z.enum(["deleted", "erased", "restored"]),
  by: z.string().transform(headerText),
  until: z.string().transform((at) => momentText(new Date(at))),
});
type Notice = z.infer<typeof notice>;

const TEXTS: Readonly<Record<Notice["what"], (notice: Notice, client: string) => readonly [string, ...string[]]>> = {
  deleted: ({ by, until }, client) => [
    `${client} will be deleted`,
    `${by} deleted ${client}. It takes no requests now, and is removed with its state after ${until}.`,
    "Until then, you can undo this and download an export in the console, under Danger.",
  ],
  erased: ({ by }, client) => [
    `${client} is being erased`,
    `${by} ended the grace period of ${client}. Its state, its backups and its users are being erased, and cannot be restored.`,
    `${by} gets a certificate of what was erased.`,
  ],
  restored: ({ by }, client) => [
    `${client} is not deleted`,
    `${by} undid the deletion of ${client}. Nothing was removed.`,
  ],
};

export const deletionNotice: MailKind = {
  name: "deletion_notice",
  async prepare({ mail, tenantUrl }) {
    const { data } = notice.safeParse(mail.data);
    if (data === undefined) return { dropped: errorMessage(mailErrors.mail_deletion_notice_invalid) };
    if (mail.client_slug === null) return { dropped: errorMessage(mailErrors.mail_client_deleted) };
    const client = headerText(mail.client_name ?? "your tenant");
    const [subject, ...texts] = TEXTS[data.what](data, client);
    const url = `${tenantUrl(mail.client_slug)}${CONSOLE_ENTRY}`;
    return {
      message: {
        subject: headerText(subject),
        paragraphs: [greeting(mail), ...texts],
        ...(data.what !== "erased" && { action: { label: `Open the console of ${client}`, url } }),
      },
    };
  },
};
