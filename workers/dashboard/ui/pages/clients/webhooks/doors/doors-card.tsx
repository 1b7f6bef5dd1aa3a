import { useQuery } from "@tanstack/react-query";
import { WEBHOOK_KINDS } from "@tenantry/webhooks/kinds";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { type Plan, planLabel } from "#domain/plans/plan.ts";
import { type Channel, channelRoutes } from "#workers/contracts/api/tenants/channels.ts";
import { type Door, doorRoutes } from "#workers/contracts/api/tenants/doors.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Meter } from "#workers/dashboard/ui/kit/chart/meter.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { type Column, DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { Empty, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { DoorBadge } from "./door-badge.tsx";
import { type DoorDialog, DoorMenu } from "./door-menu.tsx";
import { secretLabel } from "./kind-texts.ts";

const CreateDoor = lazy(() => import("./create-door.tsx"));
const RotateDoor = lazy(() => import("./rotate-door.tsx"));
const DeleteDoor = lazy(() => import("./delete-door.tsx"));
const DoorDetails = lazy(() => import("./door-details.tsx"));

type Opened = { dialog: "create" } | { dialog: DoorDialog; id: string };

export function DoorsCard({ instanceId, plan }: { instanceId: string; plan: Plan }) {
  const [opened, setOpened] = useState<Opened>();
  const query = useQuery(apiQuery(doorRoutes.listDoors, { params: { instance_id: instanceId } }));
  const channels = useQuery(apiQuery(channelRoutes.listChannels, { params: { instance_id: instanceId } }));
  // From the list, so that an open dialog shows the current state.
  const chosen =
    opened !== undefined && "id" in opened ? query.data?.data.find(({ id }) => id === opened.id) : undefined;
  const close = () => setOpened(undefined);
  const isFull = query.data !== undefined && query.data.data.length >= query.data.limit;
  const create = (
    <Button variant="primary" disabled={isFull} onClick={() => setOpened({ dialog: "create" })}>
      <Plus aria-hidden="true" /> Create webhook
    </Button>
  );
  return (
    <>
      <Card
        title="Webhooks"
        about="Other services, such as GitHub or Stripe, send messages to the agent at the address of a webhook. A messenger that is connected above has its own here."
        actions={query.data?.data.length ? create : undefined}
        flush
      >
        <Loaded query={query} loading={<Loading padded />}>
          {({ data, limit }) => (
            <>
              <div className="flex max-w-md flex-col gap-1 px-4 pb-3">
                <Meter label={`Webhooks of the ${planLabel(plan)} plan`} value={data.length} max={limit} />
                {isFull ? (
                  <p className="text-[0.8125rem] text-quiet">All webhooks are used. Delete one, or change the plan.</p>
                ) : null}
              </div>
              <DataTable
                label="Webhooks"
                columns={doorColumns(channels.data?.data ?? [], (door, dialog) => setOpened({ dialog, id: door.id }))}
                rows={data}
                idOf={({ id }) => id}
                empty={
                  <Empty title="No webhooks yet" action={create}>
                    Nothing to do for messengers. For another service, create a webhook and enter its address there. The
                    platform checks what arrives, stores it in the inbox and wakes the agent.
                  </Empty>
                }
              />
            </>
          )}
        </Loaded>
      </Card>
      <Suspense>
        {opened?.dialog === "create" ? <CreateDoor instanceId={instanceId} onClose={close} /> : null}
        {chosen !== undefined && opened?.dialog === "details" ? <DoorDetails door={chosen} onClose={close} /> : null}
        {chosen !== undefined && (opened?.dialog === "key" || opened?.dialog === "secrets") ? (
          <RotateDoor key={chosen.id} door={chosen} what={opened.dialog} onClose={close} />
        ) : null}
        {chosen !== undefined && opened?.dialog === "delete" ? (
          <DeleteDoor key={chosen.id} door={chosen} onClose={close} reload={query.refetch} />
        ) : null}
      </Suspense>
    </>
  );
}

const doorColumns = (
  channels: readonly Channel[],
  open: (door: Door, dialog: DoorDialog) => void,
): readonly Column<Door>[] => [
  {
    header: "Name",
    share: 2,
    cell: ({ id, name, kind }) => {
      const channel = channels.find(({ door_id }) => door_id === id);
      return (
        <>
          <span className="font-medium">{name}</span>
          {channel === undefined ? null : (
            <span className="block truncate text-xs text-quiet" title={channel.account.name}>
              of channel {channel.account.name}
            </span>
          )}
          {channel === undefined ? (
            <span className="block text-xs text-quiet sm:hidden">{WEBHOOK_KINDS[kind].label}</span>
          ) : null}
        </>
      );
    },
  },
  { header: "Kind", from: "sm", share: 1.3, cell: ({ kind }) => WEBHOOK_KINDS[kind].label },
  { header: "State", cell: ({ state }) => <DoorBadge state={state} /> },
  { header: "Address", from: "md", cell: ({ key_hint }) => <code>…{key_hint}</code> },
  {
    header: "Secrets",
    from: "lg",
    share: 1.9,
    cell: ({ secret_names }) => {
      const names = secret_names.map(secretLabel).join(", ");
      return <span title={names}>{names}</span>;
    },
  },
  {
    header: "Created by",
    from: "xl",
    share: 1.6,
    cell: ({ created_by }) => <span title={created_by}>{created_by}</span>,
  },
  { header: "Last used", from: "sm", cell: ({ last_used_at }) => <Ago at={last_used_at} /> },
  {
    header: "Actions",
    width: 60,
    right: true,
    cell: (door) => (
      <DoorMenu
        door={door}
        isOfChannel={channels.some(({ door_id }) => door_id === door.id)}
        onOpen={(dialog) => open(door, dialog)}
      />
    ),
  },
];
