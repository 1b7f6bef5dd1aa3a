import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type User, userRoutes } from "#workers/contracts/api/people/users.ts";
import { useChange } from "../../api/change.ts";
import { read } from "../../api/queries.ts";
import { ConfirmDialog } from "../../kit/form/dialog.tsx";
import { toast } from "../../kit/toast/toast.ts";

/** Takes a root out of the dashboard, or a person out of every client. */
export default function RemoveUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const queries = useQueryClient();
  const one = read(userRoutes.getUser, { params: { user_id: user.id } });
  const { data: present = user } = useQuery({ ...one, initialData: user });
  const remove = useChange(userRoutes.deleteUser, {
    also: ["client users"],
    onDone: () => {
      queries.removeQueries({ queryKey: one.queryKey });
      toast({ title: `${user.email} is removed` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Remove ${user.email}?`}
      about={aboutRemoval(present)}
      action="Remove"
      danger
      typed={user.email}
      busy={remove.isPending}
      error={remove.error}
      onReadAnew={() => void queries.refetchQueries({ queryKey: one.queryKey }).then(() => remove.reset())}
      onSubmit={() => remove.mutate({ params: { user_id: user.id }, version: present.version })}
    />
  );
}

function aboutRemoval({ kind, clients }: User): string {
  if (kind === "dashboard") return "They can do nothing here from now on; the audit log keeps what they did.";
  if (clients.length === 0) return "They are with no client.";
  const slugs = clients.map(({ slug }) => slug).join(", ");
  return `All access to ${slugs} is taken away at once. It cannot be taken back; they can be invited again.`;
}
