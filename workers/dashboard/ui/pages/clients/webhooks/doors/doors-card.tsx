import { useQuery } from "@tanstack/react-query";
import { WEBHOOK_KINDS } from "@tenantry/webhooks/kinds";
import { Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { type Plan, planLabel } from "#domain/plans/plan.ts";
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
  // From the list, so that an open dialog shows the current state.
  const chosen =
    opened !== undefined && "id" in opened ? query.data?.data.find(({ id }) => id === opened.id) : undefined;
  const close = () => setOpened(undefined);
  const isFull = query.data !== undefined && query.data.data.length >= query.data.limit;
  const create = (
    <Button variant="primary" disabled={isFull} onClick={() => setOpened({ dialog: "create" })}>
      <Plus aria-hidden="true" /> Create door
    </Button>
  );
  return (
    <>
      <Card
        title="Webhooks"
        about="A door is a public address at which a service, such as GitHub or Stripe, sends webhooks to the agent. Channels have their own."
        actions={query.data === undefined ? undefined : create}
        flush
      >
        <Loaded query={query} loading={<Loading padded />}>
          {({ data, limit }) => (
            <>
              <div className="flex max-w-md flex-col gap-1 px-4 pb-3">
                <Meter label={`Doors of the ${planLabel(plan)} plan`} value={data.length} max={limit} />
                {isFull ? (
                  <p className="text-[0.8125rem] text-quiet">All doors are used. Delete a door, or change the plan.</p>
                ) : null}
              </div>
              <DataTable
                label="Doors"
                columns={doorColumns((door, dialog) => setOpened({ dialog, id: door.id }))}
                rows={data}
                idOf={({ id }) => id}
                empty={
                  <Empty title="No doors yet" action={create}>
                    Create a door for each service that sends webhooks to this tenant. The platform checks their
                    signatures, stores them in the inbox and wakes the gateway.
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

const doorColumns = (open: (door: Door, dialog: DoorDialog) => void): readonly Column<Door>[] => [
  {
    header: "Door",
    share: 1.6,
    cell: ({ name, kind }) => (
      <>
        <span className="font-medium">{name}</span>
        <span className="block text-xs text-quiet sm:hidden">{WEBHOOK_KINDS[kind].label}</span>
      </>
    ),
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
    cell: (door) => <DoorMenu door={door} onOpen={(dialog) => open(door, dialog)} />,
  },
];
