import { type Client, clientRoutes } from "../../../../../contracts/api/clients.ts";
import { useChange } from "../../../api/change.ts";
import { useViewer } from "../../../api/session.ts";
import { Button } from "../../../kit/button.tsx";
import { Notice } from "../../../kit/notice.tsx";
import { Fault } from "../../../kit/states.tsx";
import { Ago, Moment } from "../../../kit/time.tsx";
import { toast } from "../../../kit/toast/toast.ts";

/** Says of a client that is being deleted until when it can be had back. */
export function DeletionBanner({ client: { id, name, delete_after, deletion_by } }: { client: Client }) {
  const { isRoot } = useViewer();
  const restore = useChange(clientRoutes.restoreClient, {
    also: ["instances"],
    onDone: () => toast({ title: `${name} is back` }),
  });
  if (delete_after === null) return null;
  const canHaveBack = isRoot || deletion_by !== "platform";
  return (
    <Notice
      tone="bad"
      title="Being deleted"
      actions={
        canHaveBack ? (
          <Button busy={restore.isPending} onClick={() => restore.mutate({ params: { client_id: id } })}>
            Have it back
          </Button>
        ) : undefined
      }
    >
      <p>
        It goes <Ago at={delete_after} long />, on <Moment at={delete_after} />, with all that it has. Until then its
        instance is frozen, and {canHaveBack ? "you can have it back" : "a platform root can have it back"}.
      </p>
      <Fault error={restore.error} />
    </Notice>
  );
}
