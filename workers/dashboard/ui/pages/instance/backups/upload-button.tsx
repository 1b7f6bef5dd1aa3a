import { Upload } from "lucide-react";
import { useRef, useState } from "react";
import { instanceDataRoutes } from "#workers/contracts/api/instances/instance-data.ts";
import type { Instance } from "#workers/contracts/api/instances/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { formatBytes } from "#workers/dashboard/ui/kit/format.ts";
import { BACKUPS_TAG } from "./backups.ts";

export function UploadButton({ instance }: { instance: Instance }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        <Upload aria-hidden="true" /> Upload…
      </Button>
      {open ? <UploadDialog instance={instance} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

const { maxBytes } = instanceDataRoutes.uploadBackup.upload;

function UploadDialog({ instance: { id, client }, onClose }: { instance: Instance; onClose: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const change = useChange(instanceDataRoutes.uploadBackup, {
    also: [BACKUPS_TAG],
    success: () => ({ title: "Backup uploaded", about: "It is in the list. Nothing else was changed." }),
    onDone: onClose,
  });
  const isTooLarge = file !== undefined && file.size > maxBytes;
  return (
    <FormDialog
      onClose={onClose}
      title="Upload a backup"
      about={`Adds a backup file that was downloaded before, from ${client.name} or from another agent. It is checked first, and nothing is changed. To use it, restore it afterwards.`}
      action="Upload backup"
      ready={file !== undefined && !isTooLarge}
      change={change}
      onSubmit={() => file && change.mutate({ params: { instance_id: id }, upload: file })}
    >
      <input
        ref={input}
        type="file"
        accept=".gz,.tgz,application/gzip"
        aria-label="Backup file"
        onChange={({ currentTarget }) => {
          change.reset();
          setFile(currentTarget.files?.[0]);
        }}
      />
      {isTooLarge ? (
        <p role="alert" className="text-xs text-bad">
          The file has {formatBytes(file.size)}, more than {formatBytes(maxBytes)}. Choose a smaller one, or ask your
          operator to add it.
        </p>
      ) : null}
    </FormDialog>
  );
}
