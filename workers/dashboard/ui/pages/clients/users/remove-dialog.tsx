import { type ClientUser, clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";

export interface RemoveDialogProps {
  /** As it is now. */
  user: ClientUser;
  client: Client;
  onClose: () => void;
  readAnew: () => Promise<unknown>;
}

export default function RemoveDialog({ user, client, onClose, readAnew }: RemoveDialogProps) {
  const { id, email, version } = user;
  const remove = useChange(clientUserRoutes.removeClientUser, {
    also: ["users"],
    onDone: () => {
      toast({ title: `${email} is removed from ${client.name}` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Remove ${email}?`}
      about={`All access to ${client.name} is taken away at once, and an open invitation is dead. It cannot be taken back; they can be invited again.`}
      action="Remove"
      danger
      typed={email}
      busy={remove.isPending}
      error={remove.error}
      onReadAnew={() => void readAnew().then(() => remove.reset())}
      onSubmit={() => remove.mutate({ params: { client_id: client.id, id }, version })}
    />
  );
}
