import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type User, userRoutes } from "#workers/contracts/api/people/users.ts";
import { useChange } from "../../api/change.ts";
import { apiQuery } from "../../api/queries.ts";
import { ConfirmDialog } from "../../kit/form/dialog.tsx";

export default function RemoveUserDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const queries = useQueryClient();
  const userQuery = apiQuery(userRoutes.getUser, { params: { user_id: user.id } });
  const { data: current = user } = useQuery({ ...userQuery, initialData: user });
  const remove = useChange(userRoutes.deleteUser, {
    also: ["client users"],
    success: `${user.email} removed`,
    onDone: () => {
      queries.removeQueries({ queryKey: userQuery.queryKey });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove ${user.email}?`}
      about={aboutRemoval(current)}
      action="Remove user"
      danger
      typed={user.email}
      change={remove}
      onReload={() => queries.refetchQueries({ queryKey: userQuery.queryKey })}
      onSubmit={() => remove.mutate({ params: { user_id: user.id }, version: current.version })}
    />
  );
}

function aboutRemoval({ kind, clients }: User): string {
  if (kind === "dashboard")
    return "The user loses access to this dashboard immediately. The audit log keeps their changes. You can add the user again.";
  if (clients.length === 0) return "The user has no clients.";
  const slugs = clients.map(({ slug }) => slug).join(", ");
  return `The user loses all access to ${slugs} immediately. You cannot undo this, but you can invite the user again.`;
}
