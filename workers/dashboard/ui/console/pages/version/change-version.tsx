import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { InstanceVersions, OfferedVersion } from "#workers/contracts/api/instances/instance-versions.ts";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { SelectField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { formatInstant } from "#workers/dashboard/ui/kit/format.ts";
import { Loaded } from "#workers/dashboard/ui/kit/states.tsx";
import { ChoiceList } from "#workers/dashboard/ui/pages/instance/actions/choice-list.tsx";
import { readableBackups } from "#workers/dashboard/ui/pages/instance/actions/version-choice.ts";
import { backupsOf } from "#workers/dashboard/ui/pages/instance/backups/backups.ts";
import type { TenantProps } from "../../tenant-page.tsx";

interface ChangeVersionProps extends TenantProps {
  to: OfferedVersion;
  versions: InstanceVersions;
  onClose: () => void;
  onReload: () => Promise<unknown>;
}

export default function ChangeVersion({ to, instance, versions, onClose, onReload }: ChangeVersionProps) {
  const { window, version } = versions;
  const [start, setStart] = useState<"now" | "window">(window === null ? "now" : "window");
  const [backup, setBackup] = useState("");
  const isOlder = to.age === "older";
  const change = useChange(instanceRoutes.changeVersion, {
    also: ["jobs"],
    success:
      start === "now" ? `Changing to version ${to.gateway_version}` : `Change to version ${to.gateway_version} planned`,
    onDone: onClose,
  });
  const body = { image_id: to.id, start, ...(isOlder && { backup_id: backup }) };
  return (
    <FormDialog
      onClose={onClose}
      title={`Change to version ${to.gateway_version}`}
      about="Its data is backed up, then the agent restarts with this version. Users are disconnected meanwhile. If the version does not run, the agent returns to the current one."
      action="Change version"
      change={change}
      onReload={onReload}
      ready={!isOlder || backup !== ""}
      onSubmit={() => change.mutate({ params: { instance_id: instance.id }, body, version })}
    >
      <ChoiceList
        label="Start"
        value={start}
        onChange={setStart}
        options={[
          { value: "now", name: "Now" },
          {
            value: "window",
            name: "In the maintenance window",
            ...(window === null
              ? { unavailable: "Set a maintenance window on the home page first." }
              : { about: `Opens ${formatInstant(window.from)}. You can cancel the change before.` }),
          },
        ]}
      />
      {isOlder ? <Backups instanceId={instance.id} to={to} value={backup} onChange={setBackup} /> : null}
    </FormDialog>
  );
}

interface BackupsProps {
  instanceId: string;
  to: OfferedVersion;
  value: string;
  onChange: (backup: string) => void;
}

function Backups({ instanceId, to, value, onChange }: BackupsProps) {
  const query = useQuery(backupsOf(instanceId));
  return (
    <Loaded query={query}>
      {({ data }) => (
        <SelectField
          label="Backup to restore"
          about={`Version ${to.gateway_version} cannot read the present data. Your agent loses its changes since the selected backup. The present data is kept as a backup.`}
          value={value}
          onChange={onChange}
          choices={[
            { value: "", name: "Select a backup", disabled: true },
            ...readableBackups(data, to).map((one) => ({
              value: one.id,
              name: `${formatInstant(one.created_at)}, ${one.gateway?.version ?? ""}`,
            })),
          ]}
        />
      )}
    </Loaded>
  );
}
