import { Trash2 } from "lucide-react";
import { useState } from "react";
import { clientRoutes, DELETION_GRACE_DAYS } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { EndsWithInstance } from "../channels/ends-with-instance.tsx";
import type { ClientTab } from "../detail/client-frame.tsx";
import { useRestore } from "../detail/use-restore.ts";
import { EraseAction } from "./erase-action.tsx";

/** Deletes a client after a grace period in which it can be restored. */
export function DeleteCard({ client, reload }: ClientTab) {
  const { id, slug, name, version, delete_after } = client;
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const { canRestore, restore, busy } = useRestore(client, `Failed to restore ${name}`);
  const { isRoot, environment } = useViewer();
  const isProduction = environment === "production";
  const end = useChange(clientRoutes.deleteClient, {
    also: ["instances", "jobs"],
    success: () => ({ title: `Deleting ${name}`, about: "This takes a few minutes." }),
    onDone: close,
  });
  const remove = useChange(clientRoutes.deleteClient, {
    also: ["instances", "jobs"],
    success: () => ({
      title: `Deletion of ${name} scheduled`,
      about: `It takes effect in ${DELETION_GRACE_DAYS} days. Until then you can restore the client.`,
      action: { name: "Restore client", run: restore },
    }),
    onDone: close,
  });
  const ending = client.instance === null ? null : <EndsWithInstance instanceId={client.instance.id} />;
  if (client.managed_by === "git") {
    return (
      <Card
        title="Delete client"
        about="The client is managed in Git. To delete it, remove it from its settings file and deploy the stack."
      >
        <p className="text-quiet">The deployment deletes its instance and users.</p>
      </Card>
    );
  }
  if (delete_after !== null) {
    return (
      <Card
        title="Deletion scheduled"
        about={
          <>
            On <Moment at={delete_after} />. Until then {canRestore ? "you" : "a platform root"} can restore the client.
          </>
        }
        actions={
          <>
            {canRestore ? (
              <Button busy={busy} onClick={restore}>
                Restore client
              </Button>
            ) : null}
            {isRoot || client.deletion_by === "partner" || client.deletion_by === "client" ? (
              <>
                <Button variant="danger" onClick={() => setAsking(true)}>
                  <Trash2 aria-hidden="true" /> Delete now…
                </Button>
                <EraseAction client={client} onReload={reload} />
              </>
            ) : null}
          </>
        }
        flush
      >
        {asking ? (
          <ConfirmDialog
            onClose={close}
            title={`Delete ${name} now?`}
            about={`Its instance, users, invitations and unused credit are deleted within minutes and cannot be restored. Invoices and the ledger are kept${isProduction ? ", and so are the backups" : ""}. The slug becomes available. To keep the client, cancel and restore it.`}
            action="Delete client now"
            danger
            typed={slug}
            change={end}
            onReload={reload}
            onSubmit={() => end.mutate({ params: { client_id: id }, query: { now: "true" }, version })}
          >
            {ending}
          </ConfirmDialog>
        ) : null}
      </Card>
    );
  }
  return (
    <Card
      title="Delete client"
      about={`Its instance is frozen immediately. After ${DELETION_GRACE_DAYS} days the client is deleted with its instance, users and unused credit. Invoices and the ledger are kept.`}
      actions={
        <Button variant="danger" onClick={() => setAsking(true)}>
          <Trash2 aria-hidden="true" /> Delete client…
        </Button>
      }
      flush
    >
      {asking ? (
        <ConfirmDialog
          onClose={close}
          title={`Delete ${name}?`}
          about={`Its instance is frozen immediately. For ${DELETION_GRACE_DAYS} days you can restore the client. Then its instance, users, invitations and unused credit are deleted and cannot be restored. Invoices and the ledger are kept${isProduction ? ", and so are the backups" : ""}.`}
          action="Delete client"
          danger
          typed={slug}
          change={remove}
          onReload={reload}
          onSubmit={() => remove.mutate({ params: { client_id: id }, version })}
        >
          {ending}
        </ConfirmDialog>
      ) : null}
    </Card>
  );
}
