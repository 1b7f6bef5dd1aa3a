import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";

/** Restores a client in its grace period. @param onFailed for a fault that is shown elsewhere than beside a button */
export function useRestore({ id, name, deletion_by }: Client, onFailed?: (error: Error) => void) {
  const { isRoot } = useViewer();
  const change = useChange(clientRoutes.restoreClient, {
    also: ["instances", "jobs"],
    onDone: () => toast({ title: `${name} is restored` }),
    ...(onFailed && { onFailed }),
  });
  return {
    /** Whether the viewer may. */
    canRestore: isRoot || deletion_by !== "platform",
    restore: () => change.mutate({ params: { client_id: id } }),
    busy: change.isPending,
    error: change.error,
  };
}
