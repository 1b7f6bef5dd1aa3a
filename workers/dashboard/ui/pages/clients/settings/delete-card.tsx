import { Trash2 } from "lucide-react";
import { useState } from "react";
import { type Client, clientRoutes, DELETION_GRACE_DAYS } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { useRestore } from "../detail/use-restore.ts";

export interface DeleteCardProps {
  client: Client;
  readAnew: () => Promise<unknown>;
}

/** Deletes a client, after a grace period in which it can be restored. */
export function DeleteCard({ client, readAnew }: DeleteCardProps) {
  const { id, slug, name, version, delete_after } = client;
  const [asking, setAsking] = useState(false);
  const { canRestore, restore, busy } = useRestore(client, ({ message }) =>
    toast({ kind: "failed", title: `Failed to restore ${name}`, about: message }),
  );
  const { isRoot, environment } = useViewer();
  const isProduction = environment === "production";
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
        about: `In ${DELETION_GRACE_DAYS} days. Until then you can restore it.`,
        action: { name: "Restore", run: restore },
      });
    },
  });
  if (client.managed_by === "git") {
    return (
      <Card
        title="Delete"
        about="The client is declared in Git. To delete it, remove it from its settings file and deploy the stack."
      >
        <p className="text-quiet">The deployment removes its instance and users.</p>
      </Card>
    );
  }
  if (delete_after !== null) {
    return (
      <Card
        title="Being deleted"
        about={
          <>
            On <Moment at={delete_after} />. Until then {canRestore ? "you" : "a platform root"} can restore it as it
            was.
          </>
        }
        actions={
          <>
            {canRestore ? (
              <Button busy={busy} onClick={restore}>
                Restore
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
            about={`Its instance, users, invitations and unused credit are removed within minutes and cannot be restored. Invoices and the ledger are kept${isProduction ? ", and so are the backups" : ""}. The slug is free again. To keep the client, cancel and restore it.`}
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
      about={`Its instance is frozen at once. After ${DELETION_GRACE_DAYS} days the client is deleted with its instance, users and unused credit. Invoices and the ledger are kept.`}
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
          about={`Its instance is frozen at once. For ${DELETION_GRACE_DAYS} days you can restore it as it was. Then its instance, users, invitations and unused credit are removed and cannot be restored. Invoices and the ledger are kept${isProduction ? ", and so are the backups" : ""}.`}
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
