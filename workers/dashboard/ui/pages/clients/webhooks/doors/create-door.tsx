import { WEBHOOK_KINDS, type WebhookKind, webhookKinds } from "@tenantry/webhooks/kinds";
import { useState } from "react";
import { doorNameFault } from "#domain/doors/door.ts";
import { doorRoutes } from "#workers/contracts/api/tenants/doors.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { FormDialog } from "#workers/dashboard/ui/kit/form/dialog.tsx";
import { useDraft } from "#workers/dashboard/ui/kit/form/draft.ts";
import { SelectField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { KIND_TEXTS, kindGroups } from "./kind-texts.ts";
import { SecretInputs } from "./secret-inputs.tsx";
import { type Entered, enteredSecrets, secretFaults, secretFields, withPlaceholder } from "./secrets.ts";
import { DocumentationLink, ShownOnce } from "./shown-once.tsx";
import { WithCode } from "./with-code.tsx";

interface Draft {
  kind: WebhookKind | "";
  name: string;
}
const EMPTY: Draft = { kind: "", name: "" };
const NAME_RULE =
  "1 to 40 lower-case letters, digits and inner hyphens. For most kinds, the agent receives messages at `/hooks/` and the name.";

const KIND_CHOICES = [
  { value: "" as const, name: "Choose a kind" },
  ...kindGroups.map((group) => ({
    group,
    choices: webhookKinds
      .filter((kind) => KIND_TEXTS[kind].group === group)
      .map((kind) => ({ value: kind, name: WEBHOOK_KINDS[kind].label })),
  })),
];

export default function CreateDoor({ instanceId, onClose }: { instanceId: string; onClose: () => void }) {
  const [draft, change, discard] = useDraft(`door.${instanceId}`, EMPTY);
  // Not in the draft, which the tab stores.
  const [entered, setEntered] = useState<Entered>({});
  const [created, setCreated] = useState<Answer<typeof doorRoutes.createDoor>>();
  const create = useChange(doorRoutes.createDoor, {
    onDone: (door) => {
      setEntered({});
      discard();
      setCreated(door);
    },
  });
  const close = () => {
    discard();
    onClose();
  };
  if (created !== undefined) {
    return (
      <ShownOnce
        title={`Webhook ${created.name} created`}
        door={created}
        url={created.url}
        generated={created.generated}
        onClose={onClose}
      />
    );
  }
  const { kind } = draft;
  const name = draft.name.trim();
  const fields = kind === "" ? [] : secretFields(kind);
  const secrets = enteredSecrets(entered);
  const nameFault = kind === "" || name === "" ? undefined : doorNameFault(name, kind);
  return (
    <FormDialog
      onClose={close}
      title="Create webhook"
      about="A service sends its messages to the address of the webhook. Only those with a valid signature reach the agent."
      action="Create webhook"
      change={create}
      showsOnce
      ready={
        kind !== "" &&
        name !== "" &&
        nameFault === undefined &&
        fields.every((field) => !field.isRequired || secrets[field.name] !== undefined)
      }
      onSubmit={() => {
        if (kind === "") return;
        create.mutate({
          params: { instance_id: instanceId },
          body: { kind, name, secrets: withPlaceholder(kind, secrets) },
        });
      }}
    >
      <div className="flex flex-col gap-1">
        <SelectField
          label="Kind"
          value={kind}
          onChange={(next) => {
            change({ kind: next });
            setEntered({});
            create.reset();
          }}
          choices={KIND_CHOICES}
          required
        />
        {kind === "" ? null : <DocumentationLink kind={kind} label={WEBHOOK_KINDS[kind].label} />}
      </div>
      {kind === "" ? null : (
        <>
          <TextField
            label="Name"
            about={<WithCode text={NAME_RULE} />}
            value={draft.name}
            onChange={(next) => change({ name: next })}
            fault={fieldFaults(create.error).name ?? (nameFault === undefined ? undefined : `The name ${nameFault}.`)}
            maxLength={40}
            spellCheck={false}
            required
          />
          <SecretInputs fields={fields} entered={entered} onChange={setEntered} faults={secretFaults(create.error)} />
        </>
      )}
    </FormDialog>
  );
}
