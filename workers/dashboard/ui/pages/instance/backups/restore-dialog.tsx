import { useState } from "react";
import { type Instance, instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { ConfirmationField, FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { CheckField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { formatBytes, formatInstant } from "#workers/dashboard/ui/kit/format.ts";
import { BACKUPS_TAG, type Backup } from "./backups.ts";

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
    success: () => ({ title: "Restoring the backup", about: "The page shows when the instance is ready." }),
    onDone: onClose,
  });
  const { name, version } = backup.gateway ?? {};
  return (
    <FormDialog
      danger={discard}
      onClose={onClose}
      title="Restore backup"
      about={`${client.name} returns to its state of ${formatInstant(backup.created_at)}, in a new container. Messages, files and settings since then are lost. The current state is backed up first, so that you can restore it later. Users are disconnected meanwhile.`}
      action="Restore backup"
      ready={!discard || typed.trim() === client.slug}
      change={change}
      onSubmit={() =>
        change.mutate({ params: { instance_id: id }, body: { backup_id: backup.id, discard_present: discard } })
      }
    >
      <p className="text-[0.8125rem] text-quiet">
        {formatBytes(backup.bytes)}
        {name === undefined ? null : `, from ${name} ${version ?? ""}`}
      </p>
      <CheckField
        label="Discard the current state if its backup fails"
        about="Otherwise the restore fails then and nothing is lost."
        checked={discard}
        onChange={setDiscard}
      />
      {discard ? <ConfirmationField expected={client.slug} value={typed} onChange={setTyped} /> : null}
    </FormDialog>
  );
}
