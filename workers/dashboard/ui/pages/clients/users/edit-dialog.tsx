import { type ClientUser, clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { SelectField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { useRowDraft } from "#workers/dashboard/ui/kit/form/row-draft.ts";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { ROLE_CHOICES } from "./roles.ts";

export interface EditDialogProps {
  /** As it is now. */
  user: ClientUser;
  onClose: () => void;
}

/** Changes a user's name or role; the message of it has the way back. */
export default function EditDialog({ user, onClose }: EditDialogProps) {
  const { id, client_id, email, name, role } = user;
  const params = { client_id, id };
  const { tag } = clientUserRoutes.updateClientUser;
  const draft = useRowDraft<Pick<ClientUser, "name" | "role">>(`client-user.${id}`, user.version, tag);
  const close = () => {
    draft.forget();
    onClose();
  };
  const undo = useChange(clientUserRoutes.updateClientUser, {
    also: ["users"],
    onFailed: ({ message }) => toast({ kind: "failed", title: "It was not put back", about: message }),
  });
  const save = useChange(clientUserRoutes.updateClientUser, {
    also: ["users"],
    onDone: (saved) => {
      toast({
        title: `${email} is saved`,
        action: {
          name: "Undo",
          run: () => undo.mutate({ params, body: { name, role }, version: saved.version }),
        },
      });
      close();
    },
  });
  const values = { name, role, ...draft.typed };
  const faults = fieldFaults(save.error);
  return (
    <FormDialog
      open
      onClose={close}
      title={name || email}
      about={email}
      action="Save"
      busy={save.isPending}
      error={save.error}
      ready={values.name.trim() !== name || values.role !== role}
      onReadAnew={() => void draft.readAnew().then(save.reset)}
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
        autoComplete="off"
      />
      <SelectField
        label="Role"
        about="A change holds at once: open sessions of the other role end."
        value={values.role}
        onChange={(next) => draft.change({ role: next })}
        choices={ROLE_CHOICES}
        fault={faults.role}
      />
    </FormDialog>
  );
}
