import { Trash2 } from "lucide-react";
import { useState } from "react";
import { type Client, clientRoutes, DELETION_GRACE_DAYS } from "../../../../../contracts/api/clients.ts";
import { useChange } from "../../../api/change.ts";
import { useViewer } from "../../../api/session.ts";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { ConfirmDialog } from "../../../kit/form/dialog.tsx";
import { Moment } from "../../../kit/time.tsx";
import { toast } from "../../../kit/toast/toast.ts";
import { useHavingBack } from "../detail/use-having-back.ts";

export interface DeleteCardProps {
  client: Client;
  readAnew: () => Promise<unknown>;
}

/** Ends a client, after a time in which it can be had back. */
export function DeleteCard({ client, readAnew }: DeleteCardProps) {
  const { id, slug, name, version, delete_after } = client;
  const [asking, setAsking] = useState(false);
  const { canHaveBack, haveBack, busy } = useHavingBack(client, ({ message }) =>
    toast({ kind: "failed", title: `${name} is not back`, about: message }),
  );
  const { isRoot } = useViewer();
  const end = useChange(clientRoutes.deleteClient, {
    also: ["instances", "jobs"],
    onDone: () => {
      setAsking(false);
      toast({ title: `${name} is being removed`, about: "It takes a few minutes." });
    },
  });
  const remove = useChange(clientRoutes.deleteClient, {
    also: ["instances", "jobs"],
    onDone: () => {
      setAsking(false);
      toast({
        title: `${name} will be deleted`,
        about: `In ${DELETION_GRACE_DAYS} days; until then you can have it back.`,
        action: { name: "Have it back", run: haveBack },
      });
    },
  });
  if (client.managed_by === "git") {
    return (
      <Card title="Delete" about="It is declared in Git: take it out of its settings file and deploy that.">
        <p className="text-quiet">What it had is removed by that deployment.</p>
      </Card>
    );
  }
  if (delete_after !== null) {
    return (
      <Card
        title="Being deleted"
        about={
          <>
            On <Moment at={delete_after} />. Until then {canHaveBack ? "you" : "a platform root"} can have it back as it
            was.
          </>
        }
        actions={
          <>
            {canHaveBack ? (
              <Button busy={busy} onClick={haveBack}>
                Have it back
              </Button>
            ) : null}
            {isRoot || client.deletion_by === "partner" ? (
              <Button look="danger" onClick={() => setAsking(true)}>
                <Trash2 aria-hidden="true" /> Delete now…
              </Button>
            ) : null}
          </>
        }
        flush
      >
        {asking ? (
          <ConfirmDialog
            open
            onClose={() => setAsking(false)}
            title={`Delete ${name} now?`}
            about="The grace period ends. The client, its instance and its users are removed within minutes and cannot be restored. Its slug is free again."
            action="Delete now"
            danger
            typed={slug}
            busy={end.isPending}
            error={end.error}
            onReadAnew={() => void readAnew().then(() => end.reset())}
            onSubmit={() => end.mutate({ params: { client_id: id }, query: { now: "true" }, version })}
          />
        ) : null}
      </Card>
    );
  }
  return (
    <Card
      title="Delete"
      about={`Frozen at once, deleted after ${DELETION_GRACE_DAYS} days: its instance, users and credit. Invoices and the ledger are kept.`}
      actions={
        <Button look="danger" onClick={() => setAsking(true)}>
          <Trash2 aria-hidden="true" /> Delete…
        </Button>
      }
      flush
    >
      {asking ? (
        <ConfirmDialog
          open
          onClose={() => setAsking(false)}
          title={`Delete ${name}?`}
          about={`It is frozen at once. For ${DELETION_GRACE_DAYS} days you can have it back as it was; then its instance, its users and what they made are gone for good.`}
          action="Delete"
          danger
          typed={slug}
          busy={remove.isPending}
          error={remove.error}
          onReadAnew={() => void readAnew().then(() => remove.reset())}
          onSubmit={() => remove.mutate({ params: { client_id: id }, version })}
        />
      ) : null}
    </Card>
  );
}
