import { type Client, clientRoutes } from "../../../../../contracts/api/clients.ts";
import { useChange } from "../../../api/change.ts";
import { useViewer } from "../../../api/session.ts";
import { toast } from "../../../kit/toast/toast.ts";

/** Has a client back that is being deleted. @param onFailed for what is told elsewhere than beside a button */
export function useHavingBack({ id, name, deletion_by }: Client, onFailed?: (error: Error) => void) {
  const { isRoot } = useViewer();
  const restore = useChange(clientRoutes.restoreClient, {
    also: ["instances", "jobs"],
    onDone: () => toast({ title: `${name} is back` }),
    ...(onFailed && { onFailed }),
  });
  return {
    /** Whether the viewer may. */
    canHaveBack: isRoot || deletion_by !== "platform",
    haveBack: () => restore.mutate({ params: { client_id: id } }),
    busy: restore.isPending,
    error: restore.error,
  };
}
