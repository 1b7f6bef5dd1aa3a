import { useState } from "react";
import { type ClientUser, clientUserRoutes } from "../../../../../contracts/api/invitations.ts";
import { useChange } from "../../../api/change.ts";
import { fieldFaults } from "../../../api/faults.ts";
import { FormDialog } from "../../../kit/dialog.tsx";
import { useDraft } from "../../../kit/draft.ts";
import { SelectField, TextField } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toast.ts";
import { ROLE_CHOICES } from "./roles.ts";

export interface EditDialogProps {
  /** As it is now. */
  user: ClientUser;
  onClose: () => void;
  readAnew: () => Promise<ClientUser | undefined>;
}

/** Changes a user's name or role; the message of it has the way back. */
export default function EditDialog({ user, onClose, readAnew }: EditDialogProps) {
  const { id, client_id, email, name, role } = user;
  const params = { client_id, id };
  const [draft, change, forget] = useDraft<{ name?: string; role?: ClientUser["role"] }>(`client-user.${id}`, {});
  const [version, setVersion] = useState(user.version);
  const undo = useChange(clientUserRoutes.updateClientUser, {
    also: ["users"],
    onFailed: ({ message }) => toast({ kind: "failed", title: "It was not put back", about: message }),
  });
  const save = useChange(clientUserRoutes.updateClientUser, {
    also: ["users"],
    onDone: (saved) => {
      forget();
      toast({
        title: `${email} is saved`,
        action: {
          name: "Undo",
          run: () => undo.mutate({ params, body: { name, role }, version: saved.version }),
        },
      });
      onClose();
    },
  });
  const again = async () => {
    const latest = await readAnew();
    if (latest !== undefined) setVersion(latest.version);
    save.reset();
  };
  const values = { name, role, ...draft };
  const faults = fieldFaults(save.error);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={name || email}
      about={email}
      action="Save"
      busy={save.isPending}
      error={save.error}
      ready={values.name.trim() !== name || values.role !== role}
      onReadAnew={() => void again()}
      onSubmit={() => save.mutate({ params, body: { name: values.name.trim(), role: values.role }, version })}
    >
      <TextField
        label="Name"
        value={values.name}
        onChange={(next) => change({ name: next })}
        fault={faults.name}
        maxLength={200}
        autoComplete="off"
      />
      <SelectField
        label="Role"
        about="A change holds at once: open sessions of the other role end."
        value={values.role}
        onChange={(next) => change({ role: next })}
        choices={ROLE_CHOICES}
        fault={faults.role}
      />
    </FormDialog>
  );
}
