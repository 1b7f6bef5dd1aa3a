import type { Partner } from "#workers/contracts/api/people/partners.ts";
import { type User, userRoutes } from "#workers/contracts/api/people/users.ts";
import { useChange } from "../../api/change.ts";
import { fieldFaults } from "../../api/faults.ts";
import { useViewer } from "../../api/session.ts";
import { FormDialog } from "../../kit/form/dialog.tsx";
import { useDraft } from "../../kit/form/draft.ts";
import { SelectField, TextField } from "../../kit/form/field.tsx";

interface Draft {
  email: string;
  name: string;
  role: User["role"];
  partner: string;
}
const EMPTY: Draft = { email: "", name: "", role: "BASE_USER", partner: "" };

const CLIENT_ROLES = [
  { value: "BASE_USER", name: "Chat only, at clients" },
  { value: "ADMIN", name: "Administrator, at clients" },
] as const;
const ROOT_ROLES = [
  { value: "PARTNER_ROOT", name: "Partner root: manages the clients of a partner" },
  { value: "ROOT", name: "Platform root: manages the platform" },
] as const;

const ABOUT: Readonly<Record<User["role"], string>> = {
  BASE_USER: "Can open the clients that they are linked to.",
  ADMIN: "Can open the clients that they are linked to, and view their logs and backups.",
  PARTNER_ROOT: "Can log in to this dashboard within 15 minutes.",
  ROOT: "Can log in to this dashboard, and open every tenant, within 15 minutes.",
};

export default function CreateDialog({ partners, onClose }: { partners: readonly Partner[]; onClose: () => void }) {
  const { isRoot } = useViewer();
  const [draft, change, close] = useDraft("user.new", EMPTY, onClose);
  const create = useChange(userRoutes.createUser, {
    success: ({ email, kind }) => ({
      title: `${email} added`,
      ...(kind === "person" && { about: "Next, link the user to a client." }),
    }),
    onDone: close,
  });
  const { role, partner } = draft;
  const faults = fieldFaults(create.error);
  const hasPartner = isRoot && role !== "ROOT";
  const none = role === "PARTNER_ROOT" ? "Select a partner" : "None (internal)";
  return (
    <FormDialog
      onClose={close}
      title="Add user"
      action="Add user"
      change={create}
      ready={draft.email.trim() !== "" && (role !== "PARTNER_ROOT" || partner !== "")}
      onSubmit={() =>
        create.mutate({
          body: {
            email: draft.email.trim(),
            name: draft.name.trim(),
            role,
            ...(hasPartner && partner !== "" && { partner_id: partner }),
          },
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
        onChange={(name) => change({ name })}
        fault={faults.name}
        maxLength={200}
      />
      <SelectField
        label="Role"
        about={ABOUT[role]}
        value={role}
        onChange={(next) => change({ role: next })}
        choices={isRoot ? [...CLIENT_ROLES, ...ROOT_ROLES] : CLIENT_ROLES}
        fault={faults.role}
      />
      {hasPartner ? (
        <SelectField
          label="Partner"
          value={partner}
          onChange={(next) => change({ partner: next })}
          choices={[{ value: "", name: none }, ...partners.map(({ id, name }) => ({ value: id, name }))]}
          fault={faults.partner_id}
        />
      ) : null}
    </FormDialog>
  );
}
