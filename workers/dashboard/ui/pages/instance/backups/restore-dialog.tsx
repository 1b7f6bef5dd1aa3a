import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { instanceDataRoutes } from "#workers/contracts/api/instances/instance-data.ts";
import { type Instance, instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { callApi } from "#workers/dashboard/ui/api/ask.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ConfirmationField, FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { CheckField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { formatBytes, formatInstant } from "#workers/dashboard/ui/kit/format.ts";
import { Ago } from "#workers/dashboard/ui/kit/time.tsx";
import { BACKUPS_TAG, type Backup } from "./backups.ts";
import { reasonInWords } from "./reasons.ts";

interface RestoreDialogProps {
  instance: Instance;
  backup: Backup;
  onClose: () => void;
}

export default function RestoreDialog({ instance: { id, client }, backup, onClose }: RestoreDialogProps) {
  const [discard, setDiscard] = useState(false);
  const [typed, setTyped] = useState("");
  const change = useChange(instanceRoutes.restoreBackup, {
    also: ["jobs", BACKUPS_TAG],
    success: () => ({ title: "Restoring the backup", about: "The page shows the progress and the outcome." }),
    onDone: onClose,
  });
  const { name, version } = backup.gateway ?? {};
  return (
    <FormDialog
      danger={discard}
      onClose={onClose}
      title="Restore backup"
      about={`${client.name} returns to what it was on ${formatInstant(backup.created_at)}. It is stopped meanwhile, usually for a few minutes.`}
      action="Restore backup"
      ready={!discard || typed.trim() === client.slug}
      change={change}
      onSubmit={() =>
        change.mutate({ params: { instance_id: id }, body: { backup_id: backup.id, discard_present: discard } })
      }
    >
      <p className="text-[0.8125rem] text-quiet">
        {formatBytes(backup.bytes)}
        {name === undefined ? null : `, from ${name} ${version ?? ""}`}.
        {backup.reason === "unknown" ? null : ` ${reasonInWords(backup)}.`}
      </p>
      <Loss instanceId={id} backup={backup} />
      <CheckField
        label="Restore even if the present state cannot be backed up first"
        about="Only if a restore failed for this reason: you then cannot undo it. Without this, the restore stops, and nothing is changed."
        checked={discard}
        onChange={setDiscard}
      />
      {discard ? <ConfirmationField expected={client.slug} value={typed} onChange={setTyped} /> : null}
    </FormDialog>
  );
}

const SHOWN = 5;
const UNDO =
  "Users, connected channels and provider keys stay. The present state is backed up first: to undo the restore, restore that backup.";

interface Changes {
  count: number;
}

function LossText({ data, error }: { data: Changes | undefined; error: Error | null }) {
  if (error !== null) return "All messages, files and settings since then are lost. Which ones cannot be shown now.";
  if (data === undefined) return "Counting what was changed since then…";
  if (data.count === 0) return "No file was changed since then, so that nothing is lost.";
  const files = data.count === 1 ? "1 file was" : `${data.count} files were`;
  return `${files} changed since then. All that is new there is lost, messages and settings included:`;
}

/** What the restore loses. */
function Loss({ instanceId, backup }: { instanceId: string; backup: Backup }) {
  const isUploaded = backup.reason === "uploaded";
  const changes = useQuery({
    queryKey: ["backup changes", instanceId, backup.id],
    queryFn: ({ signal }) =>
      callApi(
        instanceDataRoutes.getBackupChanges,
        { params: { instance_id: instanceId, backup_id: backup.id } },
        { signal },
      ),
    retry: false,
    gcTime: 0,
    // The time of an upload says nothing about its content.
    enabled: !isUploaded,
  });
  if (isUploaded) return <p className="text-[0.8125rem]">All data is replaced by the uploaded backup. {UNDO}</p>;
  const { data, error } = changes;
  return (
    <div className="text-[0.8125rem]" role="status">
      <p>
        The backup was made <Ago at={backup.created_at} long />. <LossText data={data} error={error} />
      </p>
      {data === undefined || data.count === 0 ? null : (
        <ul className="mt-1 list-disc pl-5 font-mono text-xs">
          {data.data.slice(0, SHOWN).map(({ path }) => (
            <li key={path} className="break-all">
              {path}
            </li>
          ))}
          {data.count > SHOWN ? <li className="font-sans">and {data.count - SHOWN} more</li> : null}
        </ul>
      )}
      <p className="mt-2">{UNDO}</p>
    </div>
  );
}
