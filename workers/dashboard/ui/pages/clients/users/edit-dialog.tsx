import { type ClientUser, clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { SelectField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { useRowDraft } from "#workers/dashboard/ui/kit/form/row-draft.ts";
import { CLIENT_ROLE_CHOICES } from "../../people/roles.ts";

export default function EditDialog({ user, onClose }: { user: ClientUser; onClose: () => void }) {
  const { id, client_id, email, name, role } = user;
  const params = { client_id, id };
  const { tag } = clientUserRoutes.updateClientUser;
  const draft = useRowDraft<Pick<ClientUser, "name" | "role">>(`client-user.${id}`, user.version, tag, onClose);
  const undo = useChange(clientUserRoutes.updateClientUser, {
    also: ["users"],
    failure: `Failed to undo the change of ${email}`,
  });
  const save = useChange(clientUserRoutes.updateClientUser, {
    also: ["users"],
    success: ({ version }) => ({
      title: `${email} saved`,
      action: { name: "Undo", run: () => undo.mutate({ params, body: { name, role }, version }) },
    }),
    onDone: draft.discard,
  });
  const values = { name, role, ...draft.edits };
  const faults = fieldFaults(save.error);
  return (
    <FormDialog
      onClose={draft.discard}
      title={`Edit ${name || email}`}
      about={email}
      action="Save user"
      change={save}
      ready={values.name.trim() !== name || values.role !== role}
      onReload={draft.reload}
      onSubmit={() =>
        save.mutate({ params, body: { name: values.name.trim(), role: values.role }, version: draft.version })
      }
    >
      <TextField
        label="Name"
        value={values.name}
        onChange={(next) => draft.change({ name: next })}
        fault={faults.name}
        maxLength={200}
      />
      <SelectField
        label="Role"
        about="Takes effect immediately: open sessions with the previous role end."
        value={values.role}
        onChange={(next) => draft.change({ role: next })}
        choices={CLIENT_ROLE_CHOICES}
        fault={faults.role}
      />
    </FormDialog>
  );
}
