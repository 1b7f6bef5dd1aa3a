import { useQuery } from "@tanstack/react-query";
import { type ComponentProps, useEffect, useMemo, useState } from "react";
import { DEFAULT_TOKEN_DAYS, MAX_TOKEN_DAYS } from "#domain/access/service-token.ts";
import { MAX_LIMIT } from "#workers/contracts/api/paging.ts";
import { type ClientUser, clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { serviceTokenRoutes } from "#workers/contracts/api/people/service-tokens.ts";
import type { Client } from "#workers/contracts/api/tenants/clients.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { apiQuery } from "#workers/dashboard/ui/api/queries.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { Dialog, FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { SelectField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { Notice } from "#workers/dashboard/ui/kit/notice.tsx";
import { ShownValues } from "#workers/dashboard/ui/kit/shown-values.tsx";
import { CLIENT_ROLE_CHOICES } from "../../../people/roles.ts";

interface Draft {
  user: string;
  name: string;
  role: "ADMIN" | "BASE_USER";
  days: string;
}
const EMPTY: Draft = { user: "", name: "", role: "BASE_USER", days: String(DEFAULT_TOKEN_DAYS) };

export default function CreateToken({ client, onClose }: { client: Client; onClose: () => void }) {
  const [created, setCreated] = useState<Created>();
  const users = useQuery(
    apiQuery(clientUserRoutes.listClientUsers, {
      params: { client_id: client.id },
      query: { limit: MAX_LIMIT, status: "validated" },
    }),
  ).data?.data;
  const create = useChange(serviceTokenRoutes.createServiceToken, { onDone: setCreated });
  return (
    <TokenForm
      draftName={`token.${client.id}`}
      title={`Create service token for ${client.name}`}
      about="The user receives a mail. Give the token to the user over a safe channel."
      users={users}
      change={create}
      created={created}
      onClose={onClose}
      onSubmit={(body) => create.mutate({ params: { client_id: client.id }, body })}
    />
  );
}

type Created = Answer<typeof serviceTokenRoutes.createServiceToken>;

interface TokenFormProps {
  draftName: string;
  title: string;
  about: string;
  /** Those who can have a token; undefined until they are loaded. */
  users: readonly Pick<ClientUser, "id" | "email" | "role">[] | undefined;
  /** User who is chosen at first. Default: none. */
  initialUser?: string;
  change: ComponentProps<typeof FormDialog>["change"];
  /** Once the token exists. */
  created: Created | undefined;
  onClose: () => void;
  onSubmit: (body: { client_user_id: string; name: string; role: Draft["role"]; days: number }) => void;
}

export function TokenForm(props: TokenFormProps) {
  const { draftName, title, about, users, initialUser = "", change: create, created, onClose, onSubmit } = props;
  const [draft, change, discard] = useDraft(
    draftName,
    useMemo(() => ({ ...EMPTY, user: initialUser }), [initialUser]),
  );
  useEffect(() => {
    if (created !== undefined) discard();
  }, [created, discard]);
  if (created !== undefined) return <CreatedToken token={created} onClose={onClose} />;
  const close = () => {
    discard();
    onClose();
  };
  const chosen = users?.find(({ id }) => id === draft.user);
  const name = draft.name.trim();
  const days = Number(draft.days);
  const isDuration = Number.isInteger(days) && days >= 1 && days <= MAX_TOKEN_DAYS;
  const faults = fieldFaults(create.error);
  const isAboveUser = chosen?.role === "BASE_USER";
  const role = isAboveUser ? "BASE_USER" : draft.role;
  return (
    <FormDialog
      onClose={close}
      title={title}
      about={about}
      action="Create token"
      change={create}
      showsOnce
      ready={chosen !== undefined && name !== "" && isDuration}
      onSubmit={() => onSubmit({ client_user_id: draft.user, name, role, days })}
    >
      <SelectField
        label="User"
        value={draft.user}
        onChange={(user) => change({ user })}
        choices={[
          { value: "", name: users?.length === 0 ? "No user accepted an invitation" : "Choose a user" },
          ...(users ?? []).map(({ id, email }) => ({ value: id, name: email })),
        ]}
        fault={faults.client_user_id}
        required
      />
      <TextField
        label="Name"
        about="Of the program or device, such as Laptop."
        value={draft.name}
        onChange={(next) => change({ name: next })}
        fault={faults.name}
        maxLength={100}
        required
      />
      <SelectField
        label="Role"
        about="At most the role of the user."
        value={role}
        onChange={(next) => change({ role: next })}
        choices={CLIENT_ROLE_CHOICES.map((choice) => ({
          ...choice,
          disabled: choice.value === "ADMIN" && isAboveUser,
        }))}
        fault={faults.role}
      />
      <TextField
        label="Days until it expires"
        type="number"
        min={1}
        max={MAX_TOKEN_DAYS}
        value={draft.days}
        onChange={(next) => change({ days: next })}
        fault={faults.days ?? (isDuration ? undefined : `Enter a number from 1 to ${MAX_TOKEN_DAYS}.`)}
        required
      />
    </FormDialog>
  );
}

function CreatedToken({
  token: { name, email, access_client_id, client_secret },
  onClose,
}: {
  token: Created;
  onClose: () => void;
}) {
  return (
    <Dialog onClose={onClose} stays wide title={`Service token ${name} created`}>
      <div className="flex flex-col gap-4">
        <Notice tone="busy" title="Shown once">
          <p>Copy these values now. To replace a lost one, revoke the token and create another.</p>
        </Notice>
        <ShownValues
          values={[
            { name: "CF-Access-Client-Id", value: access_client_id },
            { name: "CF-Access-Client-Secret", value: client_secret },
          ]}
        />
        <p className="text-soft">
          The program sends both as headers of each request, and acts as {email}. The token works within seconds.
        </p>
        <footer className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </footer>
      </div>
    </Dialog>
  );
}
