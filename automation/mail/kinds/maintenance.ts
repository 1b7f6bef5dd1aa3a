/** Announces an interruption to a tenant's administrators. */
import * as z from "zod";
import { errorMessage } from "#domain/errors/catalogue-error.ts";
import { mailErrors } from "#domain/errors/service/automation.ts";
import { headerText } from "#workers/shared/mail/content.ts";
import type { MailKind } from "../kind.ts";

/** Written by a rollout. */
const maintenanceNotice = z.object({
  from: z.iso.datetime(),
  /** End of the maintenance window; null if the client has none. */
  until: z.iso.datetime().nullable(),
  /** Of the maintenance window; null for UTC. */
  timeZone: z.string().nullable(),
});

export const maintenance: MailKind = {
  name: "maintenance",
  async prepare({ mail, tenantUrl }) {
    const notice = maintenanceNotice.safeParse(mail.data);
    if (!notice.success) return { dropped: errorMessage(mailErrors.mail_notice_invalid) };
    const { from, until, timeZone } = notice.data;
    if (mail.client_slug === null) return { dropped: errorMessage(mailErrors.mail_client_deleted) };
    if (Date.parse(until ?? from) < Date.now()) return { dropped: errorMessage(mailErrors.mail_maintenance_over) };
    const client = mail.client_name ?? "a client";
    const between =
      until === null
        ? `after ${localTime(from, timeZone)}`
        : `between ${localTime(from, timeZone)} and ${localTime(until, timeZone)}`;
    return {
      message: {
        subject: headerText(`Maintenance of ${client}`),
        paragraphs: [
          mail.user_name ? `Hello ${mail.user_name},` : "Hello,",
          `The agents of ${client} get a new version ${between}. They are interrupted once for a few minutes. Their data is backed up first and kept.`,
          "You do not need to do anything.",
        ],
        action: { label: `Open ${client}`, url: tenantUrl(mail.client_slug) },
      },
    };
  },
};

function localTime(moment: string, timeZone: string | null): string {
  const format = { dateStyle: "full", timeStyle: "short" } as const;
  const zone = timeZone ?? "UTC";
  return `${new Intl.DateTimeFormat("en-GB", { ...format, timeZone: zone }).format(new Date(moment))} (${zone})`;
}
