import type { Partner } from "#workers/contracts/api/people/partners.ts";
import { type User, userRoutes } from "#workers/contracts/api/people/users.ts";
import { useChange } from "../../api/change.ts";
import { fieldFaults } from "../../api/faults.ts";
import { useViewer } from "../../api/session.ts";
import { FormDialog } from "../../kit/form/dialog.tsx";
import { useDraft } from "../../kit/form/draft.ts";
import { SelectField, TextField } from "../../kit/form/field.tsx";
import { toast } from "../../kit/toast/toast.ts";

interface Draft {
  email: string;
  name: string;
  role: User["role"];
  /** Id; empty for none. */
  partner: string;
}
const EMPTY: Draft = { email: "", name: "", role: "BASE_USER", partner: "" };

const PEOPLE = [
  { value: "BASE_USER", name: "Person: user of clients" },
  { value: "ADMIN", name: "Person: administrator of clients" },
] as const;
const ROOTS = [
  { value: "PARTNER_ROOT", name: "Partner root: runs one partner's clients here" },
  { value: "ROOT", name: "Platform root: runs everything here" },
] as const;

const ABOUT: Readonly<Record<User["role"], string>> = {
  BASE_USER: "They enter clients that they are linked to.",
  ADMIN: "They enter clients that they are linked to, and see logs and backups there.",
  PARTNER_ROOT: "They can log in here within a quarter of an hour.",
  ROOT: "They can log in here, and enter every tenant, within a quarter of an hour.",
};

/** Makes a person, or for platform roots a root. */
export default function CreateDialog({ partners, onClose }: { partners: readonly Partner[]; onClose: () => void }) {
  const { isRoot } = useViewer();
  const [draft, change, forget] = useDraft("user.new", EMPTY);
  const close = () => {
    forget();
    onClose();
  };
  const create = useChange(userRoutes.createUser, {
    onDone: ({ email, kind }) => {
      toast({ title: `${email} is added`, ...(kind === "person" && { about: "Link them to a client next." }) });
      close();
    },
  });
  const { role, partner } = draft;
  const faults = fieldFaults(create.error);
  const hasPartner = isRoot && role !== "ROOT";
  const none = role === "PARTNER_ROOT" ? "Choose one" : "None: the platform's own";
  return (
    <FormDialog
      open
      onClose={close}
      title={isRoot ? "New user" : "New person"}
      action="Add"
      busy={create.isPending}
      error={create.error}
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
        onChange={(name) => change({ name })}
        fault={faults.name}
        maxLength={200}
        autoComplete="off"
      />
      <SelectField
        label="Role"
        about={ABOUT[role]}
        value={role}
        onChange={(next) => change({ role: next })}
        choices={isRoot ? [...PEOPLE, ...ROOTS] : PEOPLE}
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
