import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { type EgressSecret, egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { ActionsMenu } from "#workers/dashboard/ui/kit/menu/menu.tsx";
import { Empty, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";

const StoreSecret = lazy(() => import("./store-secret.tsx"));

export function SecretsCard({ instanceId }: { instanceId: string }) {
  const [opened, setOpened] = useState<"store" | EgressSecret>();
  const query = useQuery(apiQuery(egressRoutes.listEgressSecrets, { params: { instance_id: instanceId } }));
  const close = () => setOpened(undefined);
  const store = (
    <Button onClick={() => setOpened("store")}>
      <Plus aria-hidden="true" /> Store secret
    </Button>
  );
  return (
    <>
      <Card
        title="Secrets of hosts"
        about="The platform adds them to HTTPS requests, so that the agent can use a service without knowing its key."
        actions={query.data?.data.length ? store : undefined}
        flush
      >
        <Loaded query={query} loading={<Loading padded />}>
          {({ data }) => (
            <DataTable
              label="Secrets of hosts"
              columns={secretColumns(setOpened)}
              rows={data}
              idOf={({ id }) => id}
              empty={
                <Empty title="No secrets" action={store}>
                  Store the key of a service to keep it out of the agent.
                </Empty>
              }
            />
          )}
        </Loaded>
      </Card>
      {opened === "store" ? (
        <Suspense>
          <StoreSecret instanceId={instanceId} onClose={close} />
        </Suspense>
      ) : null}
      {typeof opened === "object" ? <DeleteSecret secret={opened} onClose={close} /> : null}
    </>
  );
}

function DeleteSecret({
  secret: { id, instance_id, name, host },
  onClose,
}: {
  secret: EgressSecret;
  onClose: () => void;
}) {
  const remove = useChange(egressRoutes.deleteEgressSecret, { success: `Secret ${name} deleted`, onDone: onClose });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete secret ${name}?`}
      about={`Further requests to ${host} do not have it. To undo this, store it again.`}
      action="Delete secret"
      danger
      change={remove}
      onSubmit={() => remove.mutate({ params: { instance_id, secret_id: id } })}
    />
  );
}

const secretColumns = (open: (secret: EgressSecret) => void): readonly Column<EgressSecret>[] => [
  { header: "Name", cell: ({ name }) => <span className="font-medium">{name}</span> },
  { header: "Host", share: 2, cell: ({ host }) => <code className="break-all">{host}</code> },
  { header: "Header", from: "sm", cell: ({ header }) => <code>{header}</code> },
  { header: "Stored", from: "md", cell: ({ created_at }) => <Ago at={created_at} /> },
  {
    header: "Actions",
    width: 60,
    right: true,
    cell: (secret) => (
      <ActionsMenu
        of={secret.name}
        groups={[
          [
            {
              ...{ name: "Delete secret", icon: <Trash2 aria-hidden="true" />, danger: true },
              onSelect: () => open(secret),
            },
          ],
        ]}
      />
    ),
  },
];
