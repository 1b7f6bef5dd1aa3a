import { type ClientUser, clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";

interface RemoveDialogProps {
  user: ClientUser;
  client: Client;
  onClose: () => void;
  reload: () => Promise<unknown>;
}

export default function RemoveDialog({ user, client, onClose, reload }: RemoveDialogProps) {
  const { id, email, version } = user;
  const remove = useChange(clientUserRoutes.removeClientUser, {
    also: ["users"],
    success: `${email} removed from ${client.name}`,
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${email}?`}
      about={`The user loses all access to ${client.name} immediately, and an open invitation becomes invalid. You cannot undo this, but you can invite the user again.`}
      action="Remove user"
      danger
      typed={email}
      change={remove}
      onReload={reload}
      onSubmit={() => remove.mutate({ params: { client_id: client.id, id }, version })}
    />
  );
}
