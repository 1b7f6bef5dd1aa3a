import type { ReactNode } from "react";
import type { InstanceVersions } from "#workers/contracts/api/instances/instance-versions.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useTenant } from "#workers/dashboard/ui/api/session.ts";
import { Card, Facts, factEntry } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import { Ago, Moment } from "#workers/dashboard/ui/kit/time.tsx";
import { WindowFacts } from "#workers/dashboard/ui/pages/clients/detail/window-facts.tsx";
import type { TenantProps } from "../../tenant-page.tsx";

interface CurrentVersionProps extends TenantProps {
  versions: InstanceVersions;
}

export function CurrentVersion({ client, instance, versions }: CurrentVersionProps) {
  const { running, rollout_from, newer_id, offered } = versions;
  const newer = offered.find(({ id }) => id === newer_id);
  return (
    <Card title="Current version">
      <div className="flex flex-col gap-4">
        <Facts
          facts={[
            factEntry(
              "Version",
              running === null ? "Not reported yet" : `${running.gateway} ${running.gateway_version}`,
            ),
            ...(running === null ? [] : [factEntry("Since", <Ago at={running.since} long />)]),
            factEntry("Newer version", newer === undefined ? "None" : newer.gateway_version),
            factEntry("Next maintenance", rollout_from === null ? "None planned" : <Moment at={rollout_from} />),
            factEntry("Maintenance window", <WindowFacts window={client.maintenance_window} />),
          ]}
        />
        <Pin id={instance.id} versions={versions} isDeclared={instance.managed_by === "git"} />
        <Canary client={client} />
      </div>
    </Card>
  );
}

interface SwitchProps {
  label: string;
  about: ReactNode;
  checked: boolean;
  disabled: boolean;
  change: { isPending: boolean; error: Error | null };
  onChange: (checked: boolean) => void;
}

const Switch = ({ label, about, checked, disabled, change, onChange }: SwitchProps) => (
  <div className="flex flex-col gap-2">
    <label className="flex items-start gap-2.5">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-accent"
        checked={checked}
        disabled={disabled}
        // `disabled` would lose the focus.
        aria-disabled={change.isPending}
        onChange={({ currentTarget }) => (change.isPending ? undefined : onChange(currentTarget.checked))}
      />
      <span className="min-w-0">
        {label}
        <span className="block text-xs text-quiet">{about}</span>
      </span>
    </label>
    <Fault error={change.error} />
  </div>
);

function Pin({
  id,
  versions: { pin, version },
  isDeclared,
}: {
  id: string;
  versions: InstanceVersions;
  isDeclared: boolean;
}) {
  const { read_only } = useTenant();
  const change = useChange(instanceRoutes.pinInstance, {
    success: ({ runs: { pinned } }) => (pinned ? "Updates skip your agent" : "Updates include your agent"),
  });
  return (
    <Switch
      label="Stay on this version"
      about={
        <>
          Updates by your operator skip your agent. You change its version yourself.
          {pin === null ? null : <PinnedBy pin={pin} />}
        </>
      }
      checked={change.isPending ? change.variables.body.pinned : pin !== null}
      disabled={read_only || isDeclared || (pin?.of_operator ?? false)}
      change={change}
      onChange={(pinned) => change.mutate({ params: { instance_id: id }, body: { pinned }, version })}
    />
  );
}

const PinnedBy = ({ pin: { by, at, of_operator } }: { pin: NonNullable<InstanceVersions["pin"]> }) => (
  <span className="block">
    Pinned by {of_operator ? "your operator" : (by ?? "an administrator")}
    {at === null ? null : (
      <>
        {" "}
        <Ago at={at} long />
      </>
    )}
    .{of_operator ? " Ask your operator to unpin it." : ""}
  </span>
);

function Canary({ client: { id, canary, managed_by, version } }: { client: Client }) {
  const { read_only } = useTenant();
  const change = useChange(clientRoutes.setCanary, {
    also: ["instances"],
    success: (after) => (after.canary ? "Your agent is updated first" : "Your agent is updated with others"),
  });
  return (
    <Switch
      label="Get new versions first"
      about="Your agent is updated in the first group, before most others."
      checked={change.isPending ? change.variables.body.canary : canary}
      disabled={read_only || managed_by === "git"}
      change={change}
      onChange={(next) => change.mutate({ params: { client_id: id }, body: { canary: next }, version })}
    />
  );
}
