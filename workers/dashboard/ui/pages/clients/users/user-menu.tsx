import { Ban, Pencil, Send, Trash2 } from "lucide-react";
import { type ClientUser, clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ActionsMenu } from "#workers/dashboard/ui/kit/menu/menu.tsx";
import { useNow } from "#workers/dashboard/ui/kit/time.tsx";
import { invitationState } from "./user-badges.tsx";

interface UserMenuProps {
  user: ClientUser;
  canMail: boolean;
  onOpen: (what: "edit" | "remove") => void;
}

export function UserMenu({ user, canMail, onOpen }: UserMenuProps) {
  const { id, client_id, email, name } = user;
  const state = invitationState(user, useNow());
  const params = { client_id, id };
  const resend = useChange(clientUserRoutes.resendInvitation, {
    success: () => ({ title: `Invitation to ${email} resent`, about: "The previous link is no longer valid." }),
    failure: `Failed to resend the invitation to ${email}`,
  });
  const revoke = useChange(clientUserRoutes.revokeInvitation, {
    success: () => ({
      title: `Invitation to ${email} withdrawn`,
      about: "Its link is no longer valid.",
      action: { name: "Resend invitation", run: send },
    }),
    failure: `Failed to withdraw the invitation to ${email}`,
  });
  const send = () => resend.mutate({ params });
  const withdraw = () => revoke.mutate({ params });
  const invitationItems =
    state === "invited" || state === "expired"
      ? [...(canMail ? [{ name: "Resend invitation", icon: <Send aria-hidden="true" />, onSelect: send }] : [])]
      : [];
  const end =
    state === "invited"
      ? { name: "Withdraw invitation", icon: <Ban aria-hidden="true" />, danger: true, onSelect: withdraw }
      : { name: "Remove user", icon: <Trash2 aria-hidden="true" />, danger: true, onSelect: () => onOpen("remove") };
  return (
    <ActionsMenu
      of={name || email}
      busy={resend.isPending || revoke.isPending}
      groups={[
        [
          { name: "Edit user", icon: <Pencil aria-hidden="true" />, onSelect: () => onOpen("edit") },
          ...invitationItems,
        ],
        [end],
      ]}
    />
  );
}
