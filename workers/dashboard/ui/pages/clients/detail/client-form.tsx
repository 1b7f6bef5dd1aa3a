import { type FormEvent, useRef } from "react";
import { planLabel, plans } from "#domain/plans/plan.ts";
import { clientStates } from "#domain/tenants/instance-state.ts";
import { type Client, clientRoutes } from "#workers/contracts/api/tenants/clients.ts";
import { useChange } from "#workers/dashboard/ui/api/change.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { usePartners } from "#workers/dashboard/ui/api/partners.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Button } from "#workers/dashboard/ui/kit/button.tsx";
import { SelectField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { useRowDraft } from "#workers/dashboard/ui/kit/form/row-draft.ts";
import { isConflict, SaveFault } from "#workers/dashboard/ui/kit/form/save-fault.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { type ClientValues, changesOf, valuesOf } from "./client-draft.ts";
import { FieldControls } from "./field-controls.tsx";
import { areFieldsValid } from "./field-values.ts";

/** Sends only edited fields, for the version that editing started from. */
export function ClientForm({ client }: { client: Client }) {
  const { isRoot } = useViewer();
  const partners = usePartners();
  const draft = useRowDraft<ClientValues>(`client.${client.id}`, client.version, clientRoutes.getClient.tag);
  const sent = useRef(draft.edits);
  const save = useChange(clientRoutes.updateClient, {
    also: ["instances", "jobs", "analytics"],
    success: ({ name, instance }, { body }) => {
      const startsJob = body.billing_plan !== undefined && instance !== null;
      return { title: `${name} saved`, ...(startsJob && { about: "A job moves the instance to the new plan." }) };
    },
    onDone: ({ version }) => draft.end(version, sent.current),
  });
  const values = valuesOf(client, draft.edits);
  const changes = changesOf(client, draft.edits);
  const isChanged = Object.keys(changes).length > 0;
  const isReady = isChanged && areFieldsValid(values) && values.name.trim() !== "" && !isConflict(save.error);
  const faults = fieldFaults(save.error);
  const { change } = draft;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !save.isPending) {
      sent.current = draft.edits;
      save.mutate({ body: { id: client.id, ...changes }, version: draft.version });
    }
  };
  return (
    <Card title="Edit client">
      <form aria-label="Edit client" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <TextField
          label="Name"
          value={values.name}
          onChange={(name) => change({ name })}
          fault={faults.name ?? (values.name.trim() === "" ? "Enter a name." : undefined)}
          maxLength={200}
        />
        <SelectField
          label="State"
          about="In the production environment, users can open it once it is active or in production. A draft costs nothing. Change it one step at a time."
          value={values.status}
          onChange={(status) => change({ status })}
          choices={clientStates.map((state, step) => ({
            value: state,
            name: state,
            disabled: Math.abs(step - clientStates.indexOf(client.status)) > 1,
          }))}
          fault={faults.status}
        />
        <SelectField
          label="Plan"
          about={
            client.instance === null
              ? undefined
              : "After a backup, a container of the plan's size replaces the current one. This takes about a minute."
          }
          value={values.billing_plan}
          onChange={(billing_plan) => change({ billing_plan })}
          choices={plans.map((plan) => ({ value: plan, name: planLabel(plan) }))}
          fault={faults.billing_plan}
        />
        {isRoot ? (
          <SelectField
            label="Partner"
            about="Users and usage data move with the client."
            value={values.partner_id ?? ""}
            onChange={(id) => change({ partner_id: id === "" ? null : id })}
            choices={partnerChoices(client, partners)}
            fault={faults.partner_id}
          />
        ) : null}
        <FieldControls values={values} onChange={change} faults={faults} isRoot={isRoot} />
        <SaveFault change={save} onReload={draft.reload} />
        <footer className="flex justify-end gap-2">
          {isChanged ? (
            <Button
              onClick={() => {
                draft.discard();
                save.reset();
              }}
            >
              Discard changes
            </Button>
          ) : null}
          <Button type="submit" variant="primary" busy={save.isPending} disabled={!isReady}>
            Save client
          </Button>
        </footer>
      </form>
    </Card>
  );
}

/** Includes the client's partner before the list is loaded. */
function partnerChoices({ partner }: Client, partners: readonly { id: string; name: string }[]) {
  const all = partner === null || partners.some(({ id }) => id === partner.id) ? partners : [partner, ...partners];
  return [{ value: "", name: "None (internal client)" }, ...all.map(({ id, name }) => ({ value: id, name }))];
}
