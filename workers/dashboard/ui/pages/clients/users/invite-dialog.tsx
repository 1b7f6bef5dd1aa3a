import { clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { CheckField, SelectField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { ROLE_CHOICES } from "./roles.ts";

interface Draft {
  email: string;
  name: string;
  role: "ADMIN" | "BASE_USER";
  /** Ids of instances that are not invited to. */
  without: string[];
}
const EMPTY: Draft = { email: "", name: "", role: "BASE_USER", without: [] };

/** Invites somebody to instances of a client. */
export default function InviteDialog({ client, onClose }: { client: Client; onClose: () => void }) {
  const [draft, change, forget] = useDraft(`invite.${client.id}`, EMPTY);
  const close = () => {
    forget();
    onClose();
  };
  const invite = useChange(clientUserRoutes.inviteClientUser, {
    also: ["users"],
    onDone: ({ email }) => {
      toast({ kind: "told", title: `${email} is invited`, about: "The mail is on its way." });
      close();
    },
  });
  const instances = client.instance === null ? [] : [client.instance];
  const chosen = instances.map(({ id }) => id).filter((id) => !draft.without.includes(id));
  const faults = fieldFaults(invite.error);
  const name = draft.name.trim();
  return (
    <FormDialog
      open
      onClose={close}
      title={`Invite to ${client.name}`}
      about="They get a mail with a link that holds for seven days."
      action="Invite"
      busy={invite.isPending}
      error={invite.error}
      ready={draft.email.trim() !== "" && chosen.length > 0}
      onSubmit={() =>
        invite.mutate({
          params: { client_id: client.id },
          body: { email: draft.email.trim(), role: draft.role, instance_ids: chosen, ...(name !== "" && { name }) },
        })
      }
    >
      <TextField
        label="E-mail address"
        type="email"
        value={draft.email}
        onChange={(email) => change({ email })}
        fault={faults.email}
        maxLength={254}
        autoComplete="off"
        required
      />
      <TextField
        label="Name"
        optional
        value={draft.name}
        onChange={(next) => change({ name: next })}
        fault={faults.name}
        maxLength={200}
        autoComplete="off"
      />
      <SelectField
        label="Role"
        about="Administrators see the gateway's log and backups, and restart it."
        value={draft.role}
        onChange={(role) => change({ role })}
        choices={ROLE_CHOICES}
        fault={faults.role}
      />
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 text-[0.8125rem] font-medium">Instances</legend>
        {instances.map(({ id, environment, status }) => (
          <CheckField
            key={id}
            label={`${client.slug}, ${environment}`}
            about={status === "running" ? undefined : `It is ${status} just now.`}
            checked={!draft.without.includes(id)}
            onChange={(checked) =>
              change({ without: checked ? draft.without.filter((one) => one !== id) : [...draft.without, id] })
            }
          />
        ))}
        {chosen.length === 0 ? <p className="text-xs text-bad">Choose at least one.</p> : null}
        {faults.instance_ids === undefined ? null : <p className="text-xs text-bad">{faults.instance_ids}</p>}
      </fieldset>
    </FormDialog>
  );
}
