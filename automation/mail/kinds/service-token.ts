/** Informs a user about a service token that another person created or revoked, or that expires soon. */
import * as z from "zod";
import { CONSOLE_ENTRY } from "#domain/access/access-addresses.ts";
import { serviceToken } from "#domain/entities/service-token.ts";
import { errorMessage } from "#domain/errors/catalogue-error.ts";
import { mailErrors } from "#domain/errors/service/automation.ts";
import { headerText } from "#workers/shared/mail/content.ts";
import type { MailKind } from "../kind.ts";

/** Written by `tenantry.service_token_changed` and `queueExpiryMails`. */
const notice = serviceToken.pick({ name: true, role: true }).extend({
  what: z.enum(["created", "revoked", "expires"]),
  expires_at: z.string().transform((at) => new Date(at)),
  /** Address of the client's user who did it; null for an operator. */
  by: z.string().nullable(),
});

const ROLES = { ADMIN: "an administrator", BASE_USER: "a user who may only chat" } as const;

export const serviceTokenNotice: MailKind = {
  name: "service_token",
  async prepare({ mail, sender, tenantUrl }) {
    const { data } = notice.safeParse(mail.data);
    if (data === undefined) return { dropped: errorMessage(mailErrors.mail_token_notice_invalid) };
    if (mail.client_slug === null) return { dropped: errorMessage(mailErrors.mail_client_deleted) };
    const client = mail.client_name ?? "a client";
    const { what, role, expires_at } = data;
    const name = headerText(data.name);
    if (what === "expires" && expires_at < new Date()) return { dropped: errorMessage(mailErrors.mail_token_expired) };
    const by = data.by ?? `An operator of ${sender}`;
    const end = `${new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short", timeZone: "UTC" }).format(expires_at)} (UTC)`;
    const text = {
      created: {
        subject: `Service token for ${client} created`,
        texts: [
          `${by} created the service token "${name}" for you. A program with it reaches ${client} as you, with the rights of ${ROLES[role]}, until ${end}.`,
          "If you did not expect this, revoke the token.",
        ],
      },
      revoked: {
        subject: `Service token for ${client} revoked`,
        texts: [
          `${by} revoked your service token "${name}". Programs that use it no longer reach ${client}.`,
          "If you still need it, create another.",
        ],
      },
      expires: {
        subject: `Service token for ${client} expires soon`,
        texts: [
          `Your service token "${name}" expires on ${end}. Programs that use it then no longer reach ${client}.`,
          "If you still need it, create another and revoke this one.",
        ],
      },
    }[what];
    return {
      message: {
        subject: headerText(text.subject),
        paragraphs: [mail.user_name ? `Hello ${mail.user_name},` : "Hello,", ...text.texts],
        action: { label: "Open your service tokens", url: `${tenantUrl(mail.client_slug)}${CONSOLE_ENTRY}` },
      },
    };
  },
};
