import { Ban, Ellipsis, Pencil, Send, Trash2 } from "lucide-react";
import { type ClientUser, clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Menu } from "#workers/dashboard/ui/kit/menu/menu.tsx";
import { useNow } from "#workers/dashboard/ui/kit/time.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { invitationState } from "./user-badges.tsx";

export interface UserMenuProps {
  user: ClientUser;
  /** Whether invitations may be sent. */
  canMail: boolean;
  onOpen: (what: "edit" | "remove") => void;
}

/** What can be done with a user. */
export function UserMenu({ user, canMail, onOpen }: UserMenuProps) {
  const { id, client_id, email, name } = user;
  const state = invitationState(user, useNow());
  const params = { client_id, id };
  const failed = (title: string) => (error: Error) => toast({ kind: "failed", title, about: error.message });
  const resend = useChange(clientUserRoutes.resendInvitation, {
    onDone: () => toast({ title: `Another invitation to ${email} is on its way`, about: "The link before is dead." }),
    onFailed: failed("The invitation was not sent again"),
  });
  const revoke = useChange(clientUserRoutes.revokeInvitation, {
    onDone: () =>
      toast({
        title: `The invitation to ${email} is withdrawn`,
        about: "Its link is dead.",
        action: { name: "Invite again", run: send },
      }),
    onFailed: failed("The invitation was not withdrawn"),
  });
  const send = () => resend.mutate({ params });
  const withdraw = () => revoke.mutate({ params });
  const ofInvitation =
    state === "invited" || state === "expired"
      ? [
          ...(canMail ? [{ name: "Resend the invitation", icon: <Send aria-hidden="true" />, onSelect: send }] : []),
          ...(state === "invited"
            ? [{ name: "Withdraw the invitation", icon: <Ban aria-hidden="true" />, onSelect: withdraw }]
            : []),
        ]
      : [];
  return (
    <Menu
      trigger={
        <Button
          look="ghost"
          small
          icon
          busy={resend.isPending || revoke.isPending}
          aria-label={`What to do with ${name || email}`}
        >
          {resend.isPending || revoke.isPending ? null : <Ellipsis aria-hidden="true" />}
        </Button>
      }
      groups={[
        [
          { name: "Change name or role", icon: <Pencil aria-hidden="true" />, onSelect: () => onOpen("edit") },
          ...ofInvitation,
        ],
        [{ name: "Remove", icon: <Trash2 aria-hidden="true" />, danger: true, onSelect: () => onOpen("remove") }],
      ]}
    />
  );
}
