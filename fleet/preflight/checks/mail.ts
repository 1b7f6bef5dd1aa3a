/** The mail server of the automation service, if its variable is set. Sends no mail. */
import { verifyServer } from "#automation/mail/smtp.ts";
import { asSentence } from "#domain/errors/catalogue-error.ts";
import { preflightServiceErrors as errors } from "#domain/errors/commands/fleet-preflight.ts";
import { type Check, failed, passed, skipped } from "../check.ts";

export const mailChecks: readonly Check[] = [
  {
    id: "mail",
    title: "Mail server",
    async run({ variables }) {
      const url = variables.SMTP_URL;
      if (!url) return skipped(errors.preflight_mail_not_set);
      const host = URL.canParse(url) ? new URL(url).host : "of SMTP_URL";
      const fault = await verifyServer(url);
      return fault === undefined
        ? passed(host)
        : failed(errors.preflight_mail_failed, { host, fault: asSentence(fault) });
    },
  },
];
