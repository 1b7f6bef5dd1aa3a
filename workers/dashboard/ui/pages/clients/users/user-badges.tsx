import type { ClientUser } from "#workers/contracts/api/people/invitations.ts";
import { Badge, type Tone } from "#workers/dashboard/ui/kit/badge.tsx";
import { useNow } from "#workers/dashboard/ui/kit/time.tsx";

type Mail = NonNullable<ClientUser["mail_status"]>;

const MAIL: Readonly<Record<Mail, readonly [tone: Tone, says: string]>> = {
  queued: ["busy", "It waits to be sent"],
  sent: ["good", "The mail server has taken it"],
  bounced: ["bad", "The address takes no mail: check it, remove the user and invite again"],
  failed: ["bad", "It was not sent: resend the invitation"],
};

export type InvitationState = "invited" | "expired" | "validated" | "rejected";

/** An invitation that is over, or was withdrawn, has expired. @param now milliseconds */
export function invitationState({ status, expires_at }: ClientUser, now: number): InvitationState {
  const over = status === "invited" && expires_at !== null && Date.parse(expires_at) <= now;
  return over ? "expired" : status;
}

const INVITATION: Readonly<Record<InvitationState, readonly [tone: Tone, says: string]>> = {
  invited: ["busy", "Not answered yet"],
  expired: ["quiet", "Its link is dead: resend it"],
  validated: ["good", "Accepted"],
  rejected: ["bad", "Rejected by the invited"],
};

export function InvitationBadge({ user }: { user: ClientUser }) {
  const state = invitationState(user, useNow());
  const [tone, says] = INVITATION[state];
  return (
    <Badge tone={tone} title={says}>
      {state}
    </Badge>
  );
}

/** What became of the latest mail to a user. */
export function MailBadge({ user: { mail_status } }: { user: ClientUser }) {
  if (mail_status === null) return <span className="text-quiet">none</span>;
  const [tone, says] = MAIL[mail_status];
  return (
    <Badge tone={tone} title={says}>
      {mail_status}
    </Badge>
  );
}
