/** Invites a user. Each mail gets a new token, which only the mail contains. */
import { createHash, randomBytes } from "node:crypto";
import { type InvitationState, renewInvitation } from "#database/work/mails.ts";
import { INVITATIONS_PATH } from "#domain/access/access-addresses.ts";
import { errorLine, errorMessage, type Fault } from "#domain/errors/catalogue-error.ts";
import { mailErrors } from "#domain/errors/service/automation.ts";
import { invitationMessage } from "#workers/shared/mail/invitation.ts";
import type { MailKind } from "../kind.ts";

const TOKEN_BYTES = 32;

const REASONS: Readonly<Record<Exclude<InvitationState, "open">, Fault>> = {
  answered: errorMessage(mailErrors.mail_invitation_answered),
  expired: errorLine(mailErrors.mail_invitation_expired),
  gone: errorMessage(mailErrors.mail_user_removed),
};

export const invitation: MailKind = {
  name: "invitation",
  async prepare({ transaction, mail, sender, dashboardUrl }) {
    if (mail.client_user_id === null) return { dropped: REASONS.gone };
    const token = randomBytes(TOKEN_BYTES).toString("base64url");
    const hash = createHash("sha256").update(token).digest();
    const state = await renewInvitation(transaction, mail.client_user_id, hash);
    if (state !== "open") return { dropped: REASONS[state] };
    const client = mail.client_name ?? "a client";
    const url = `${dashboardUrl}${INVITATIONS_PATH}/${token}`;
    return { message: invitationMessage({ client, sender, user: mail.user_name ?? "", url }) };
  },
};
