import { useState } from "react";
import { type Instance, instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { CheckField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { formatBytes, formatInstant } from "#workers/dashboard/ui/kit/format.ts";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { BACKUPS_TAG, type Backup } from "./backups.ts";

export interface RestoreDialogProps {
  instance: Instance;
  backup: Backup;
  onClose: () => void;
}

export default function RestoreDialog({ instance: { id, client }, backup, onClose }: RestoreDialogProps) {
  const [discard, setDiscard] = useState(false);
  const [typed, setTyped] = useState("");
  const change = useChange(instanceRoutes.restoreBackup, {
    also: ["jobs", BACKUPS_TAG],
    onDone: () => {
      toast({ title: "The backup is being restored", about: "The operation above tells when it is ready again." });
      onClose();
    },
  });
  const { name, version } = backup.gateway ?? {};
  return (
    <FormDialog
      open
      danger={discard}
      onClose={onClose}
      title="Restore this backup"
      about={`${client.name} goes back to what it was on ${formatInstant(backup.created_at)}, in a fresh container. The present state is backed up first, so that you can come back to it. Whoever uses it is cut off meanwhile.`}
      action="Restore"
      ready={!discard || typed.trim() === client.slug}
      busy={change.isPending}
      error={change.error}
      onSubmit={() =>
        change.mutate({ params: { instance_id: id }, body: { backup_id: backup.id, discard_present: discard } })
      }
    >
      <p className="text-[0.8125rem] text-quiet">
        {formatBytes(backup.bytes)}
        {name === undefined ? null : `, written by ${name} ${version ?? ""}`}
      </p>
      <CheckField
        label="Give the present state up if it cannot be backed up"
        about="Without this the restore is refused then, and nothing is lost."
        checked={discard}
        onChange={setDiscard}
      />
      {discard ? (
        <TextField
          label={`Type “${client.slug}” to confirm`}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          spellCheck={false}
        />
      ) : null}
    </FormDialog>
  );
}
