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
import { isOvertaken, SaveFault } from "#workers/dashboard/ui/kit/form/save-fault.tsx";
import { Card } from "#workers/dashboard/ui/kit/layout/card.tsx";
import { toast } from "#workers/dashboard/ui/kit/toast/toast.ts";
import { type ClientValues, changesOf, valuesOf } from "./client-draft.ts";
import { FieldControls } from "./field-controls.tsx";
import { areFieldsValid } from "./field-values.ts";

/** What of a client is changed here. Only what was typed is sent, to the version that was there when typing began. */
export function ClientForm({ client }: { client: Client }) {
  const { isRoot } = useViewer();
  const partners = usePartners();
  const draft = useRowDraft<ClientValues>(`client.${client.id}`, client.version, clientRoutes.getClient.tag);
  const sent = useRef(draft.typed);
  const save = useChange(clientRoutes.updateClient, {
    also: ["instances", "jobs", "analytics"],
    onDone: ({ name, instance, version }, { body }) => {
      draft.end(version, sent.current);
      const follows = body.billing_plan !== undefined && instance !== null;
      toast({ title: `${name} is saved`, ...(follows && { about: "Its instance follows to the new plan by a job." }) });
    },
  });
  const values = valuesOf(client, draft.typed);
  const changes = changesOf(client, draft.typed);
  const isChanged = Object.keys(changes).length > 0;
  const isReady = isChanged && areFieldsValid(values) && values.name.trim() !== "" && !isOvertaken(save.error);
  const faults = fieldFaults(save.error);
  const { change } = draft;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !save.isPending) {
      sent.current = draft.typed;
      save.mutate({ body: { id: client.id, ...changes }, version: draft.version });
    }
  };
  return (
    <Card title="Change">
      <form aria-label="Change the client" onSubmit={submit} noValidate className="flex flex-col gap-4">
        <TextField
          label="Name"
          value={values.name}
          onChange={(name) => change({ name })}
          fault={faults.name ?? (values.name.trim() === "" ? "A client has a name." : undefined)}
          maxLength={200}
          autoComplete="off"
        />
        <SelectField
          label="State"
          about="In production people reach it once it is active or in production; a draft costs nothing. It goes one step at a time."
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
              : "Its container is replaced by one of the plan's size, after a backup; that takes a minute."
          }
          value={values.billing_plan}
          onChange={(billing_plan) => change({ billing_plan })}
          choices={plans.map((plan) => ({ value: plan, name: planLabel(plan) }))}
          fault={faults.billing_plan}
        />
        {isRoot ? (
          <SelectField
            label="Partner"
            about="Its users and what is told of it go along."
            value={values.partner_id ?? ""}
            onChange={(id) => change({ partner_id: id === "" ? null : id })}
            choices={partnerChoices(client, partners)}
            fault={faults.partner_id}
          />
        ) : null}
        <FieldControls values={values} onChange={change} faults={faults} isRoot={isRoot} />
        <SaveFault error={save.error} onReadAnew={() => void draft.readAnew().then(save.reset)} />
        <footer className="flex justify-end gap-2">
          {isChanged ? (
            <Button
              onClick={() => {
                draft.forget();
                save.reset();
              }}
            >
              Discard
            </Button>
          ) : null}
          <Button type="submit" look="primary" busy={save.isPending} disabled={!isReady}>
            Save
          </Button>
        </footer>
      </form>
    </Card>
  );
}

/** The client's own is among them before the list is read. */
function partnerChoices({ partner }: Client, partners: readonly { id: string; name: string }[]) {
  const all = partner === null || partners.some(({ id }) => id === partner.id) ? partners : [partner, ...partners];
  return [{ value: "", name: "None: an internal client" }, ...all.map(({ id, name }) => ({ value: id, name }))];
}
