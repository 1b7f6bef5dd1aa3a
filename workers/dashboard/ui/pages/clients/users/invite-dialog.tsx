import { clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { CheckField, SelectField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { CLIENT_ROLE_CHOICES } from "../../people/roles.ts";

interface Draft {
  email: string;
  name: string;
  role: "ADMIN" | "BASE_USER";
  without: string[];
}
const EMPTY: Draft = { email: "", name: "", role: "BASE_USER", without: [] };

export default function InviteDialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const [draft, change, close] = useDraft(`invite.${client.id}`, EMPTY, onClose);
  const invite = useChange(clientUserRoutes.inviteClientUser, {
    also: ["users"],
    success: ({ email }) => ({
      kind: "info",
      title: `Invitation to ${email} created`,
      about: "Its mail is usually sent within two minutes.",
    }),
    onDone: close,
  });
  const isOperator = useViewer().tenant === null;
  const instances = client.instance === null ? [] : [client.instance];
  const chosen = instances.map(({ id }) => id).filter((id) => !draft.without.includes(id));
  const faults = fieldFaults(invite.error);
  const name = draft.name.trim();
  return (
    <FormDialog
      onClose={close}
      title={`Invite user to ${client.name}`}
      about="The user receives a mail with a link that is valid for seven days."
      action="Send invitation"
      change={invite}
      ready={draft.email.trim() !== "" && chosen.length > 0}
      onSubmit={() =>
        invite.mutate({
          params: { client_id: client.id },
          body: { email: draft.email.trim(), role: draft.role, instance_ids: chosen, ...(name !== "" && { name }) },
        })
      }
    >
      <TextField
        label="Email address"
        type="email"
        value={draft.email}
        onChange={(email) => change({ email })}
        fault={faults.email}
        maxLength={254}
        required
      />
      <TextField
        label="Name"
        optional
        value={draft.name}
        onChange={(next) => change({ name: next })}
        fault={faults.name}
        maxLength={200}
      />
      <SelectField
        label="Role"
        about="Chat only: may chat with the agent, but not manage it. Administrator: also manages people, channels, models, backups and bills."
        value={draft.role}
        onChange={(role) => change({ role })}
        choices={CLIENT_ROLE_CHOICES}
        fault={faults.role}
      />
      <fieldset className="flex flex-col gap-1.5" hidden={!isOperator}>
        <legend className="mb-1 text-[0.8125rem] font-medium">Instances</legend>
        {instances.map(({ id, environment, status }) => (
          <CheckField
            key={id}
            label={`${client.slug}, ${environment}`}
            about={status === "running" ? undefined : `Status: ${status}`}
            checked={!draft.without.includes(id)}
            onChange={(checked) =>
              change({ without: checked ? draft.without.filter((one) => one !== id) : [...draft.without, id] })
            }
          />
        ))}
        {chosen.length === 0 ? <p className="text-xs text-bad">Select at least one instance.</p> : null}
        {faults.instance_ids === undefined ? null : <p className="text-xs text-bad">{faults.instance_ids}</p>}
      </fieldset>
    </FormDialog>
  );
}
