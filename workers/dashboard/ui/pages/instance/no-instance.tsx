import { lazy, Suspense, useState } from "react";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useViewer } from "../../api/session.ts";
import { clientAddress } from "../../kit/addresses.ts";
import { Button, ButtonLink } from "../../kit/button.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { Empty } from "../../kit/states.tsx";
import { Moment } from "../../kit/time.tsx";

const ProvisionDialog = lazy(() => import("./actions/dialogs/provision-dialog.tsx"));

/** A client without an instance: how it gets one, or why it cannot. */
export function NoInstance({ client }: { client: Client }) {
  const { environment } = useViewer();
  const [open, setOpen] = useState(false);
  return (
    <Card>
      {client.delete_after !== null ? (
        <Empty
          title="The client is being deleted"
          action={<ButtonLink to={clientAddress(client.id)}>Look at the client</ButtonLink>}
        >
          It is deleted on <Moment at={client.delete_after} />. Restore it first to provision an instance.
        </Empty>
      ) : client.managed_by === "git" ? (
        <Empty title="No instance yet">
          The client is declared in Git, and so is its instance: deploy its stack, and it is here.
        </Empty>
      ) : (
        <Empty
          title="No instance yet"
          action={
            <Button look="primary" onClick={() => setOpen(true)}>
              Provision one
            </Button>
          }
        >
          {client.name} has no gateway of its own yet. Provisioning makes one: Worker, container, log-in and backups.
        </Empty>
      )}
      {open ? (
        <Suspense>
          <ProvisionDialog client={client} environment={environment} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </Card>
  );
}
