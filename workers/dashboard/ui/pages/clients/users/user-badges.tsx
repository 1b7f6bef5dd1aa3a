import type { ClientUser } from "#workers/contracts/api/people/invitations.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { useNow } from "#workers/dashboard/ui/kit/time.tsx";

type Mail = NonNullable<ClientUser["mail_status"]>;

const MAIL: Readonly<Record<Mail, readonly [tone: Tone, title: string]>> = {
  queued: ["busy", "Usually sent within two minutes"],
  sent: ["good", "The mail server accepted it"],
  bounced: [
    "bad",
    "The address does not accept mail. Check it. For another address, withdraw the invitation and create another",
  ],
  failed: ["bad", "Not sent. Resend the invitation"],
};

type InvitationState = "invited" | "expired" | "validated" | "rejected";

/** Returns `expired` for an invitation that timed out or was withdrawn. @param now in milliseconds */
export function invitationState({ status, expires_at }: ClientUser, now: number): InvitationState {
  const over = status === "invited" && expires_at !== null && Date.parse(expires_at) <= now;
  return over ? "expired" : status;
}

/** The states as users read them. */
export const INVITATION_NAMES = {
  invited: "invited",
  expired: "expired",
  validated: "accepted",
  rejected: "rejected",
} as const satisfies Record<InvitationState, string>;

const INVITATION: Readonly<Record<InvitationState, readonly [tone: Tone, title: string]>> = {
  invited: ["busy", "No response yet"],
  expired: ["quiet", "The link has expired. Resend the invitation"],
  validated: ["good", "The user accepted the invitation"],
  rejected: ["bad", "Rejected by the user"],
};

export function InvitationBadge({ user }: { user: ClientUser }) {
  const state = invitationState(user, useNow());
  const [tone, title] = INVITATION[state];
  return (
    <Badge tone={tone} title={title}>
      {INVITATION_NAMES[state]}
    </Badge>
  );
}

export function MailBadge({ user: { mail_status } }: { user: ClientUser }) {
  if (mail_status === null) return null;
  const [tone, title] = MAIL[mail_status];
  return (
    <Badge tone={tone} title={title}>
      {mail_status}
    </Badge>
  );
}
