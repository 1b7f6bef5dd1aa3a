import { useState } from "react";
import type { clientRoles } from "#domain/entities/user.ts";
import { type User, userRoutes } from "#workers/contracts/api/people/users.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "../../api/change.ts";
import { fieldFaults } from "../../api/faults.ts";
import { ClientBox } from "../../kit/form/client-box.tsx";
import { FormDialog } from "../../kit/form/dialog.tsx";
import { SelectField } from "../../kit/form/field.tsx";
import { CLIENT_ROLE_CHOICES } from "./roles.ts";

export default function LinkDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const [client, setClient] = useState<Client | null>(null);
  const [role, setRole] = useState<(typeof clientRoles)[number]>(user.role === "ADMIN" ? "ADMIN" : "BASE_USER");
  const link = useChange(userRoutes.linkUser, {
    also: ["client users"],
    success: `${user.email} linked to ${client?.name ?? "the client"}`,
    onDone: onClose,
  });
  const instance = client?.instance ?? null;
  const faults = fieldFaults(link.error);
  return (
    <FormDialog
      onClose={onClose}
      title={`Link ${user.name || user.email} to a client`}
      about="The user gets access immediately, without an invitation."
      action="Link user"
      change={link}
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
        <p className="text-xs text-quiet">The client has no instance yet, so there is nothing to open.</p>
      ) : null}
      <SelectField label="Role" value={role} onChange={setRole} choices={CLIENT_ROLE_CHOICES} fault={faults.role} />
    </FormDialog>
  );
}
