import { Eraser } from "lucide-react";
import { useState } from "react";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";

interface EraseActionProps {
  client: Client;
  /** Offered after a change by another user. */
  onReload?: () => Promise<unknown>;
}

/** Ends the grace period of a deletion, and deletes the backups too. */
export function EraseAction({ client: { id, name, slug, version }, onReload }: EraseActionProps) {
  const [asking, setAsking] = useState(false);
  const erase = useChange(clientRoutes.eraseClient, {
    also: ["instances", "jobs"],
    success: () => ({ title: `Erasing ${name}`, about: "You get a certificate by mail." }),
    onDone: () => setAsking(false),
  });
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        <Eraser aria-hidden="true" /> Erase now…
      </Button>
      {asking ? (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          title={`Erase ${name} now?`}
          about="The agent, its data, all backups and all users are erased within minutes. Nobody can restore them. You get a certificate by mail of what was erased. Invoices and the list of changes are kept, because the law requires it."
          action="Erase everything"
          danger
          typed={slug}
          change={erase}
          {...(onReload !== undefined && { onReload })}
          onSubmit={() =>
            erase.mutate({ params: { client_id: id }, body: { slug }, ...(onReload !== undefined && { version }) })
          }
        >
          <p className="text-quiet">Download an export first if you may need the data.</p>
        </ConfirmDialog>
      ) : null}
    </>
  );
}
