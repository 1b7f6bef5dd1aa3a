import { type Client, clientRoutes } from "../../../../../contracts/api/clients.ts";
import { useChange } from "../../../api/change.ts";
import { Button } from "../../../kit/button.tsx";
import { Notice } from "../../../kit/notice.tsx";
import { Fault } from "../../../kit/states.tsx";
import { Ago, Moment } from "../../../kit/time.tsx";
import { toast } from "../../../kit/toast.ts";

/** Says of a client that is being deleted until when it can be had back. */
export function DeletionBanner({ client: { id, name, delete_after } }: { client: Client }) {
  const restore = useChange(clientRoutes.restoreClient, {
    also: ["instances"],
    onDone: () => toast({ title: `${name} is back` }),
  });
  if (delete_after === null) return null;
  return (
    <Notice
      tone="bad"
      title="Being deleted"
      actions={
        <Button busy={restore.isPending} onClick={() => restore.mutate({ params: { client_id: id } })}>
          Have it back
        </Button>
      }
    >
      <p>
        It goes <Ago at={delete_after} long />, on <Moment at={delete_after} />, with all that it has. Until then its
        instance is frozen, and you can have it back.
      </p>
      <Fault error={restore.error} />
    </Notice>
  );
}
