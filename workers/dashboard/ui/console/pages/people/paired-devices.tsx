import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import { deviceErrors } from "#domain/errors/tenants/devices.ts";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { deviceRoutes, type PairedDevice, type PendingDevice } from "#workers/contracts/api/tenants/devices.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { useIsReadOnly } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Empty, Loaded, Loading } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { WakeButton } from "../../wake-button.tsx";

const POLL_MS = 15_000;

interface Opened {
  kind: keyof typeof CHANGES;
  /** Of the request or the device. */
  id: string;
  name: string;
}

const CHANGES = {
  approve: {
    title: "Approve",
    about: "The device gets the roles and scopes that it requested. Approve only what you or your colleagues started.",
    done: "approved",
  },
  reject: { title: "Reject", about: "The device is not paired. It may ask again.", done: "rejected" },
  remove: {
    title: "Remove",
    about: "Its connections end, and its tokens become invalid. To use it again, pair it again.",
    done: "removed",
  },
} as const;

/** Devices that are paired in the instance's OpenClaw, for administrators. */
export function PairedDevices({ instance }: { instance: Instance }) {
  const [opened, setOpened] = useState<Opened>();
  const query = useQuery({
    ...apiQuery(deviceRoutes.listDevices, { params: { instance_id: instance.id } }),
    refetchInterval: POLL_MS,
  });
  return (
    <Card
      title="Devices"
      about="Computers, phones and browsers that are connected to the agent directly (paired in OpenClaw)."
    >
      <Loaded query={query} loading={<Loading lines={2} />}>
        {(devices) => <DeviceList devices={devices} instance={instance} onOpen={setOpened} />}
      </Loaded>
      {opened === undefined ? null : (
        <ChangeDialog opened={opened} instance={instance} onClose={() => setOpened(undefined)} />
      )}
    </Card>
  );
}

/** Of what an administrator of the tenant cannot mend. */
const FOR_OPERATORS: ReadonlySet<string> = new Set([
  instanceErrors.tenant_without_order.reason,
  instanceErrors.tenant_response_unknown.reason,
  instanceErrors.tenant_without_worker.reason,
]);

interface DeviceListProps {
  devices: Answer<typeof deviceRoutes.listDevices>;
  instance: Instance;
  onOpen: (opened: Opened) => void;
}

function DeviceList({ devices: { pending, paired, unavailable }, instance, onOpen }: DeviceListProps) {
  const isReadOnly = useIsReadOnly();
  if (unavailable?.reason === deviceErrors.devices_need_running_agent.reason)
    return (
      <Empty
        title="Devices show while the agent runs"
        action={isReadOnly ? undefined : <WakeButton instance={instance} />}
      />
    );
  if (unavailable !== null)
    return (
      <Empty title="The devices are unknown">
        {FOR_OPERATORS.has(unavailable.reason)
          ? "The platform's part of the agent must be updated to show them. Only your operator can do this: ask them. Nothing else is affected."
          : unavailable.message}
      </Empty>
    );
  if (pending.length + paired.length === 0) return <Empty title="No device is paired" />;
  const open = isReadOnly ? undefined : onOpen;
  return (
    <ul className="flex flex-col divide-y divide-line">
      {pending.map((device) => (
        <Pending key={device.request_id} device={device} onOpen={open} />
      ))}
      {paired.map((device) => (
        <Paired key={device.id} device={device} onOpen={open} />
      ))}
    </ul>
  );
}

type Open = ((opened: Opened) => void) | undefined;

const nameOf = ({ name, client, id }: PendingDevice | PairedDevice) => name ?? client ?? id.slice(0, 12);

const termsOf = ({ platform, client, roles, scopes }: PendingDevice | PairedDevice) =>
  [platform, client, roles.join(", "), scopes.join(", ")].filter((one) => one !== null && one !== "").join(" · ");

function Pending({ device, onOpen }: { device: PendingDevice; onOpen: Open }) {
  const name = nameOf(device);
  const open = (kind: Opened["kind"]) => onOpen?.({ kind, id: device.request_id, name });
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3 first:pt-0">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1 break-words">
        <p className="font-medium">{name}</p>
        <p className="text-quiet">
          Waits for approval since <Ago at={device.requested_at} long />
        </p>
        <p className="text-xs text-soft">{termsOf(device)}</p>
      </div>
      {onOpen === undefined ? null : (
        <div className="flex gap-2">
          <Button small aria-label={`Reject ${name}`} onClick={() => open("reject")}>
            Reject
          </Button>
          <Button small variant="primary" aria-label={`Approve ${name}`} onClick={() => open("approve")}>
            Approve
          </Button>
        </div>
      )}
    </li>
  );
}

function Paired({ device, onOpen }: { device: PairedDevice; onOpen: Open }) {
  const name = nameOf(device);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 py-3 first:pt-0">
      <div className="flex min-w-0 flex-1 basis-72 flex-col gap-1 break-words">
        <p className="font-medium">{name}</p>
        <p className="text-quiet">
          Paired <Ago at={device.paired_at} long />
          {device.is_connected ? ", connected now" : null}
          {device.is_connected || device.last_seen_at === null ? null : (
            <>
              , last seen <Ago at={device.last_seen_at} long />
            </>
          )}
        </p>
        <p className="text-xs text-soft">{termsOf(device)}</p>
      </div>
      {onOpen === undefined ? null : (
        <Button small aria-label={`Remove ${name}`} onClick={() => onOpen({ kind: "remove", id: device.id, name })}>
          Remove
        </Button>
      )}
    </li>
  );
}

interface ChangeDialogProps {
  opened: Opened;
  instance: Instance;
  onClose: () => void;
}

function ChangeDialog({ opened: { kind, id, name }, instance, onClose }: ChangeDialogProps) {
  const { title, about, done } = CHANGES[kind];
  const options = { success: `${name} ${done}`, onDone: onClose };
  const approve = useChange(deviceRoutes.approveDevice, options);
  const reject = useChange(deviceRoutes.rejectDevice, options);
  const remove = useChange(deviceRoutes.removeDevice, options);
  const change = { approve, reject, remove }[kind];
  const submit = () => {
    const instance_id = instance.id;
    if (kind === "remove") remove.mutate({ params: { instance_id, device_id: id } });
    else (kind === "approve" ? approve : reject).mutate({ params: { instance_id, request_id: id } });
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`${title} ${name}?`}
      about={about}
      action={title}
      danger={kind === "remove"}
      change={change}
      onSubmit={submit}
    />
  );
}
