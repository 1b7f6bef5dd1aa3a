import { useState } from "react";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import {
  areFieldsValid,
  formFields,
  parseFieldValue,
  type TypedWindow,
  typedFields,
} from "#workers/dashboard/ui/pages/clients/detail/field-values.ts";
import { WindowFields } from "#workers/dashboard/ui/pages/clients/detail/window-fields.tsx";

const NAME = "maintenance_window";

interface WindowDialogProps {
  client: Client;
  onClose: () => void;
  /** Refetches the client. */
  onReload: () => Promise<unknown>;
}

export default function WindowDialog({ client, onClose, onReload }: WindowDialogProps) {
  const typed = typedFields(client);
  const [window, setWindow] = useState(typed[NAME] as TypedWindow | null);
  const save = useChange(clientRoutes.setMaintenanceWindow, { success: "Maintenance window saved", onDone: onClose });
  const control = formFields(false).find(({ name }) => name === NAME)?.control;
  if (control?.kind !== "window") return null;
  const submit = () => {
    const value = parseFieldValue(NAME, window) as Client["maintenance_window"];
    save.mutate({ params: { client_id: client.id }, body: { [NAME]: value }, version: client.version });
  };
  return (
    <FormDialog
      onClose={onClose}
      title="Change the maintenance window"
      action="Save window"
      change={save}
      onReload={onReload}
      ready={areFieldsValid({ ...typed, [NAME]: window })}
      onSubmit={submit}
    >
      <WindowFields control={control} window={window} onChange={setWindow} fault={fieldFaults(save.error)[NAME]} />
    </FormDialog>
  );
}
