/** Sends one mail, at least once: a process that is killed before it recorded the result leaves the mail to the next. */
import * as z from "zod";
import { beginAttempt, endAttempt, lockQueuedMail, type Mail } from "#database/work/mails.ts";
import { asSentence, errorMessage, type Fault } from "#domain/errors/catalogue-error.ts";
import { mailErrors } from "#domain/errors/service/automation.ts";
import { tenantHostname } from "#domain/names/hostnames.ts";
import { brandingOf } from "#workers/shared/mail/branding.ts";
import { type Content, compose } from "#workers/shared/mail/content.ts";
import type { Settings } from "../settings.ts";
import { defineTask, type Run, type Task, TaskError } from "../task.ts";
import type { Preparation } from "./kind.ts";
import { mailKinds } from "./kinds.ts";
import { domainOf } from "./sender.ts";
import { Smtp } from "./smtp.ts";

const payload = z.object({ id: z.uuid() });
const address = z.email();

/** A recorded attempt that was not sent yet. */
interface StartedMail {
  mail: Mail;
  attempt: number;
  prepared: { content: Content } | { dropped: Fault };
}

export function mailTask(
  settings: Pick<Settings, "SMTP_URL" | "MAIL_FROM" | "DASHBOARD_URL" | "ENVIRONMENT" | "PLATFORM_DOMAIN">,
): Task {
  const { MAIL_FROM: from, DASHBOARD_URL: dashboardUrl, ENVIRONMENT, PLATFORM_DOMAIN } = settings;
  // Tenants' hosts have the dashboard's protocol and port.
  const tenantUrl = (slug: string) => {
    const url = new URL(dashboardUrl);
    url.hostname = tenantHostname(slug, ENVIRONMENT, PLATFORM_DOMAIN);
    return url.origin;
  };
  const smtp = new Smtp(settings.SMTP_URL, from);
  return defineTask("mail", payload, async ({ id }, run) => {
    const begun = await beginMail(id, { dashboardUrl, tenantUrl, platformDomain: PLATFORM_DOMAIN }, run);
    if (begun === undefined) return;
    const { mail, attempt, prepared } = begun;
    if ("dropped" in prepared) {
      await endAttempt(run.db, mail, attempt, { outcome: "failed", answer: prepared.dropped, final: true });
      run.log("warn", "mail_dropped", { mail: id, attempt, cause: prepared.dropped });
      return;
    }
    const messageId = `<${id}.${attempt}@${domainOf(from)}>`;
    const { outcome, answer } = await smtp.send({ to: mail.recipient, messageId, content: prepared.content });
    const end = { sent: "sent", refused: "bounced", failed: "failed" } as const;
    const final = outcome !== "failed" || run.isLast;
    await endAttempt(run.db, mail, attempt, { outcome: end[outcome], answer, final });
    run.log(outcome === "sent" ? "info" : "warn", `mail_${end[outcome]}`, { mail: id, attempt, final, answer });
    if (outcome === "failed") {
      throw new TaskError(mailErrors.mail_server_refused, { fault: asSentence(answer) });
    }
  });
}

/** Records an attempt and prepares its message, such as an invitation's new token. */
function beginMail(
  id: string,
  addresses: Pick<Preparation, "dashboardUrl" | "platformDomain" | "tenantUrl">,
  { db }: Run,
): Promise<StartedMail | undefined> {
  return db.transaction().execute(async (transaction) => {
    const mail = await lockQueuedMail(transaction, id);
    if (mail === undefined) return undefined;
    const attempt = await beginAttempt(transaction, id);
    const kind = mailKinds.get(mail.kind);
    if (kind === undefined) {
      const dropped = errorMessage(mailErrors.mail_kind_unknown, { kind: mail.kind });
      return { mail, attempt, prepared: { dropped } };
    }
    if (!address.safeParse(mail.recipient).success) {
      return { mail, attempt, prepared: { dropped: errorMessage(mailErrors.mail_recipient_invalid) } };
    }
    const partner = {
      id: mail.partner_id,
      name: mail.partner_name,
      style: mail.partner_style,
      logoKey: mail.partner_logo,
    };
    const branding = brandingOf(partner, addresses.dashboardUrl);
    const prepared = await kind.prepare({ transaction, mail, sender: branding.name, ...addresses });
    if ("dropped" in prepared) return { mail, attempt, prepared };
    return { mail, attempt, prepared: { content: compose(prepared.message, branding) } };
  });
}
