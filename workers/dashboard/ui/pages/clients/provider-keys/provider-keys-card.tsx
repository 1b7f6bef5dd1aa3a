import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { KEY_PROVIDERS } from "#domain/provider-keys/providers.ts";
import { type ProviderKey, providerKeyRoutes } from "#workers/contracts/api/tenants/provider-keys.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { ActionsMenu } from "#workers/dashboard/ui/kit/menu/menu.tsx";
import { Empty, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { ProviderKeyBadge } from "./provider-key-badge.tsx";

const DeleteKey = lazy(() => import("./delete-key.tsx"));
const StoreKey = lazy(() => import("./store-key.tsx"));

type KeyDialog = "replace" | "delete";
type Opened = { dialog: "store" } | { dialog: KeyDialog; providerKey: ProviderKey };

export function ProviderKeysCard({ instanceId }: { instanceId: string }) {
  const [opened, setOpened] = useState<Opened>();
  const query = useQuery(apiQuery(providerKeyRoutes.listProviderKeys, { params: { instance_id: instanceId } }));
  const close = () => setOpened(undefined);
  const store = (
    <Button onClick={() => setOpened({ dialog: "store" })}>
      <Plus aria-hidden="true" /> Store key
    </Button>
  );
  return (
    <>
      <Card
        title="Provider keys"
        about="Calls to a provider with a key are paid by the owner of the key. The log, the filter and the plan's limit still apply."
        actions={query.data?.data.length ? store : undefined}
        flush
      >
        <Loaded query={query} loading={<Loading padded />}>
          {({ data }) => (
            <DataTable
              label="Provider keys"
              columns={keyColumns((providerKey, dialog) => setOpened({ dialog, providerKey }))}
              rows={data}
              idOf={({ id }) => id}
              empty={
                <Empty title="No provider keys" action={store}>
                  The platform pays the model providers. Store a key to use an account of your own.
                </Empty>
              }
            />
          )}
        </Loaded>
      </Card>
      <Suspense>
        {opened?.dialog === "store" ? <StoreKey instanceId={instanceId} onClose={close} /> : null}
        {opened?.dialog === "replace" ? (
          <StoreKey instanceId={instanceId} replaced={opened.providerKey.provider} onClose={close} />
        ) : null}
        {opened?.dialog === "delete" ? <DeleteKey providerKey={opened.providerKey} onClose={close} /> : null}
      </Suspense>
    </>
  );
}

const keyColumns = (open: (key: ProviderKey, dialog: KeyDialog) => void): readonly Column<ProviderKey>[] => [
  {
    header: "Provider",
    share: 1.6,
    cell: ({ provider, last_error }) => (
      <>
        <span className="font-medium">{KEY_PROVIDERS[provider].label}</span>
        {last_error === null ? null : <span className="block text-xs text-quiet">{last_error}</span>}
      </>
    ),
  },
  { header: "Key", from: "sm", cell: ({ key_hint }) => <code>…{key_hint}</code> },
  { header: "State", cell: ({ state }) => <ProviderKeyBadge state={state} /> },
  { header: "Last used", from: "md", cell: ({ last_used_at }) => <Ago at={last_used_at} /> },
  {
    header: "Actions",
    width: 60,
    right: true,
    cell: (key) => (
      <ActionsMenu
        of={KEY_PROVIDERS[key.provider].label}
        groups={[
          [
            {
              name: "Replace key",
              icon: <KeyRound aria-hidden="true" />,
              onSelect: () => open(key, "replace"),
            },
          ],
          [
            {
              ...{ name: "Delete key", icon: <Trash2 aria-hidden="true" />, danger: true },
              onSelect: () => open(key, "delete"),
            },
          ],
        ]}
      />
    ),
  },
];
