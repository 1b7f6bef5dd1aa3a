import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";

/** Restores a client in its grace period. @param failure title of the toast after a failure */
export function useRestore({ id, name, deletion_by }: Client, failure?: string) {
  const { isRoot } = useViewer();
  const change = useChange(clientRoutes.restoreClient, {
    also: ["instances", "jobs"],
    success: `${name} restored`,
    ...(failure !== undefined && { failure }),
  });
  return {
    canRestore: isRoot || deletion_by !== "platform",
    restore: () => change.mutate({ params: { client_id: id } }),
    busy: change.isPending,
    error: change.error,
  };
}
