import { useState } from "react";
import { instanceRoutes } from "#workers/contracts/api/instances/instances.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { useSeenVersion } from "#workers/dashboard/ui/api/seen-version.ts";
import { ConfirmDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { CheckField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { EndsWithInstance } from "../../../clients/channels/ends-with-instance.tsx";
import type { ActionDialogProps } from "../action.ts";

export default function RemoveDialog({ instance, onClose }: ActionDialogProps) {
  const { id, client, environment } = instance;
  const [discard, setDiscard] = useState(false);
  const change = useChange(instanceRoutes.removeInstance, {
    also: ["clients", "jobs"],
    success: `Deprovisioning ${client.name}`,
    onDone: onClose,
  });
  const [version, reload] = useSeenVersion(instance.version, instanceRoutes.getInstance.tag);
  return (
    <ConfirmDialog
      danger
      onClose={onClose}
      title="Deprovision instance"
      about={`The instance stops immediately and open sessions end. ${environment === "production" ? "A final backup is taken, and the bucket with the backups is kept." : "Its backups are deleted."} The Worker, the container, the Access login and a dedicated AI gateway are deleted. The client, its users and invoices are kept, and you can provision the client again.`}
      action="Deprovision instance"
      typed={client.slug}
      change={change}
      onReload={reload}
      onSubmit={() =>
        change.mutate({ params: { instance_id: id }, query: { discard_state: discard ? "true" : "false" }, version })
      }
    >
      <EndsWithInstance instanceId={id} />
      {environment === "production" ? (
        <CheckField
          label="Discard the state if the final backup fails"
          about="Otherwise the job fails then and deletes nothing."
          checked={discard}
          onChange={setDiscard}
        />
      ) : null}
    </ConfirmDialog>
  );
}
