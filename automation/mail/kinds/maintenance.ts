/** Tells a tenant's administrators when it is interrupted for a change that is not urgent. */
import * as z from "zod";
import { headerText } from "#workers/shared/mail/content.ts";
import type { MailKind } from "../kind.ts";

/** As a roll-out writes it. */
const maintenanceNotice = z.object({
  /** From when on: ISO 8601 UTC. */
  from: z.iso.datetime(),
  /** Until when the maintenance window is open; null where the client has none. */
  until: z.iso.datetime().nullable(),
  /** Of the client's maintenance window; null for UTC. */
  timeZone: z.string().nullable(),
});

export const maintenance: MailKind = {
  name: "maintenance",
  async prepare({ mail, dashboardUrl }) {
    const notice = maintenanceNotice.safeParse(mail.data);
    if (!notice.success) return { dropped: "not sent: it does not say when the maintenance is" };
    const { from, until, timeZone } = notice.data;
    if (Date.parse(until ?? from) < Date.now()) return { dropped: "not sent: the maintenance it announces is over" };
    const client = mail.client_name ?? "a client";
    const between =
      until === null
        ? `from ${localTime(from, timeZone)} on`
        : `between ${localTime(from, timeZone)} and ${localTime(until, timeZone)}`;
    return {
      message: {
        subject: headerText(`Maintenance of ${client}`),
        paragraphs: [
          mail.user_name ? `Hello ${mail.user_name},` : "Hello,",
          `The agents of ${client} get a new version ${between}. They are interrupted once, for some minutes; what they know is backed up before and stays.`,
          "You need not do anything.",
        ],
        action: { label: "See the state of your tenant", url: dashboardUrl },
      },
    };
  },
};

function localTime(moment: string, timeZone: string | null): string {
  const format = { dateStyle: "full", timeStyle: "short" } as const;
  const zone = timeZone ?? "UTC";
  return `${new Intl.DateTimeFormat("en-GB", { ...format, timeZone: zone }).format(new Date(moment))} (${zone})`;
}
