import { useState } from "react";
import { instanceRoutes } from "#workers/contracts/api/tenants/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useSeenVersion } from "#workers/dashboard/ui/api/seen-version.ts";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { CheckField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import type { ActionDialogProps } from "../action.ts";

export default function RemoveDialog({ instance, onClose }: ActionDialogProps) {
  const { id, client, environment } = instance;
  const [discard, setDiscard] = useState(false);
  const change = useChange(instanceRoutes.removeInstance, {
    also: ["clients", "jobs"],
    onDone: () => {
      toast({ title: `The instance of ${client.name} is being removed` });
      onClose();
    },
  });
  const [version, readAnew] = useSeenVersion(instance.version, instanceRoutes.getInstance.tag);
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      title="Deprovision it"
      about={`It stops at once: whoever uses it is cut off. ${environment === "production" ? "It is backed up for the last time, and its bucket with the backups stays." : "Its backups go with it."} Worker, container, log-in and an AI gateway of its own are removed. The client stays, with its people and invoices, and can be provisioned anew.`}
      action="Deprovision"
      typed={client.slug}
      busy={change.isPending}
      error={change.error}
      onReadAnew={() => void readAnew().then(change.reset)}
      onSubmit={() =>
        change.mutate({ params: { instance_id: id }, query: { discard_state: discard ? "true" : "false" }, version })
      }
    >
      {environment === "production" ? (
        <CheckField
          label="Give its state up if it cannot be backed up"
          about="Without this the removal fails then, and nothing is removed."
          checked={discard}
          onChange={setDiscard}
        />
      ) : null}
    </ConfirmDialog>
  );
}
