/** The certificate of an erasure, for the person who requested it. The client no longer exists. */
import * as z from "zod";
import { findErasure } from "#database/tenants/deletion/erasures.ts";
import { certificateLines, certificateOf } from "#domain/erasures/certificate.ts";
import { errorMessage } from "#domain/errors/catalogue-error.ts";
import { mailErrors } from "#domain/errors/service/automation.ts";
import { headerText } from "#workers/shared/mail/content.ts";
import type { MailKind } from "../kind.ts";

/** Written by `tenantry.delete_client`. */
const notice = z.object({ erasure_id: z.uuid() });

export const erasureCertificateMail: MailKind = {
  name: "erasure_certificate",
  async prepare({ transaction, mail, platformDomain }) {
    const { data } = notice.safeParse(mail.data);
    const erasure = data && (await findErasure(transaction, { id: data.erasure_id }));
    if (erasure === undefined) return { dropped: errorMessage(mailErrors.mail_certificate_missing) };
    const certificate = certificateOf(erasure, platformDomain);
    return {
      message: {
        subject: headerText(`${certificate.client.name} was erased: certificate`),
        paragraphs: ["Hello,", ...certificateLines(certificate), JSON.stringify(certificate)],
      },
    };
  },
};
