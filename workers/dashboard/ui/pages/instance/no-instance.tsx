import { lazy, Suspense, useState } from "react";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useViewer } from "../../api/session.ts";
import { clientAddress } from "../../kit/addresses.ts";
import { Button, ButtonLink } from "../../kit/button.tsx";
import { Card } from "../../kit/layout/card.tsx";
import { Empty } from "../../kit/states.tsx";
import { Moment } from "../../kit/time.tsx";

const ProvisionDialog = lazy(() => import("./actions/dialogs/provision-dialog.tsx"));

export function NoInstance({ client }: { client: Client }) {
  const { environment } = useViewer();
  const [open, setOpen] = useState(false);
  return (
    <Card>
      {client.delete_after !== null ? (
        <Empty
          title="The client will be deleted"
          action={<ButtonLink to={clientAddress(client.id)}>Go to client</ButtonLink>}
        >
          Deletion is scheduled for <Moment at={client.delete_after} />. Restore the client to provision an instance.
        </Empty>
      ) : client.managed_by === "git" ? (
        <Empty title="No instance yet">The client is managed in Git. Deploy its stack to create the instance.</Empty>
      ) : (
        <Empty
          title="No instance yet"
          action={
            <Button variant="primary" onClick={() => setOpen(true)}>
              Provision instance
            </Button>
          }
        >
          {client.name} has no gateway yet. Provisioning creates a Worker, a container, an Access login and backups.
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
