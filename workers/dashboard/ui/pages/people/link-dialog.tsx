import { useState } from "react";
import { clientRoles } from "#domain/entities/user.ts";
import { type User, userRoutes } from "#workers/contracts/api/people/users.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "../../api/change.ts";
import { fieldFaults } from "../../api/faults.ts";
import { ClientBox } from "../../kit/form/client-box.tsx";
import { FormDialog } from "../../kit/form/dialog.tsx";
import { SelectField } from "../../kit/form/field.tsx";
import { toast } from "../../kit/toast/toast.ts";
import { USER_ROLES } from "./roles.ts";

/** Makes a person a user of a client, validated at once: whoever does it vouches for them. */
export default function LinkDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [client, setClient] = useState<Client | null>(null);
  const [role, setRole] = useState<(typeof clientRoles)[number]>(user.role === "ADMIN" ? "ADMIN" : "BASE_USER");
  const link = useChange(userRoutes.linkUser, {
    also: ["client users"],
    onDone: () => {
      toast({ title: `${user.email} is a user of ${client?.name ?? "the client"}` });
      onClose();
    },
  });
  const instance = client?.instance ?? null;
  const faults = fieldFaults(link.error);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Link ${user.name || user.email} to a client`}
      about="They are a user at once, without an invitation: you vouch for them."
      action="Link"
      busy={link.isPending}
      error={link.error}
      ready={client !== null}
      onSubmit={() => {
        if (client === null) return;
        const instances = instance === null ? [] : [instance.id];
        link.mutate({ params: { client_id: client.id, user_id: user.id }, body: { role, instance_ids: instances } });
      }}
    >
      <ClientBox
        value={client}
        onChange={setClient}
        partnerId={user.partner_id}
        without={user.clients.map(({ client_id }) => client_id)}
      />
      {client !== null && instance === null ? (
        <p className="text-xs text-quiet">It has no instance yet: there is nothing for them to enter so far.</p>
      ) : null}
      <SelectField
        label="Role"
        value={role}
        onChange={setRole}
        choices={clientRoles.map((value) => ({ value, name: USER_ROLES[value] }))}
        fault={faults.role}
      />
    </FormDialog>
  );
}
