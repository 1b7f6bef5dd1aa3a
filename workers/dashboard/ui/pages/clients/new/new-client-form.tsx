import type { FormEvent } from "react";
import { MAX_SLUG_LENGTH } from "#domain/names/slug.ts";
import { type Plan, planLabel, plans } from "#domain/plans/plan.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { usePartners } from "#workers/dashboard/ui/api/partners.ts";
import { useViewer } from "#workers/dashboard/ui/api/session.ts";
import { Button, ButtonLink } from "#workers/dashboard/ui/kit/button.tsx";
import { CheckField, SelectField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { Fault } from "#workers/dashboard/ui/kit/states.tsx";
import type { Creation } from "./use-creation.ts";

interface NewClientValues {
  slug: string;
  name: string;
  plan: Plan;
  /** Partner id; empty for an internal client, or for a partner root's own partner. */
  partner: string;
  provision: boolean;
}
export const EMPTY: NewClientValues = { slug: "", name: "", plan: "basic", partner: "", provision: true };

interface NewClientFormProps {
  values: NewClientValues;
  onChange: (part: Partial<NewClientValues>) => void;
  slugFault: string | undefined;
  creation: Creation;
  ready: boolean;
  onDiscard: () => void;
}

export function NewClientForm({ values, onChange, slugFault, creation, ready, onDiscard }: NewClientFormProps) {
  const { isRoot } = useViewer();
  const partners = usePartners();
  const { created, busy, error } = creation;
  const faults = created === undefined ? fieldFaults(error) : {};
  const fault = slugFault === undefined ? faults.slug : faultSentence(slugFault);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready || busy) return;
    if (created !== undefined) return creation.provision();
    const name = values.name.trim();
    const body = {
      slug: values.slug.trim(),
      billing_plan: values.plan,
      ...(name !== "" && { name }),
      ...(values.partner !== "" && { partner_id: values.partner }),
    };
    creation.create(body, values.provision);
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <fieldset disabled={created !== undefined} className="contents">
        <TextField
          label="Slug"
          // The error replaces the help text, so that the layout does not shift.
          about={
            fault === undefined
              ? "The start of the host name. Use letters, digits and hyphens. You cannot change it later."
              : undefined
          }
          value={values.slug}
          onChange={(slug) => onChange({ slug: slug.toLowerCase() })}
          fault={fault}
          maxLength={MAX_SLUG_LENGTH + 1}
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
        />
        <TextField
          label="Name"
          optional
          about="Shown to users. Default: the slug."
          value={values.name}
          onChange={(name) => onChange({ name })}
          fault={faults.name}
          maxLength={200}
        />
        <SelectField
          label="Plan"
          value={values.plan}
          onChange={(plan) => onChange({ plan })}
          choices={plans.map((plan) => ({ value: plan, name: planLabel(plan) }))}
          fault={faults.billing_plan}
        />
        {isRoot ? (
          <SelectField
            label="Partner"
            value={values.partner}
            onChange={(partner) => onChange({ partner })}
            choices={[
              { value: "", name: "None (internal client)" },
              ...partners.map(({ id, name }) => ({ value: id, name })),
            ]}
            fault={faults.partner_id}
          />
        ) : null}
        <CheckField
          label="Provision the instance now"
          about="Creates the container, AI gateway, backup bucket and access. The next page shows the progress."
          checked={values.provision}
          onChange={(provision) => onChange({ provision })}
        />
      </fieldset>
      {created === undefined ? <Fault error={error} /> : null}
      <footer className="flex justify-end gap-2">
        <ButtonLink to="/clients" onClick={onDiscard}>
          Cancel
        </ButtonLink>
        <Button type="submit" variant="primary" busy={busy} disabled={!ready}>
          {created === undefined ? "Create client" : "Retry provisioning"}
        </Button>
      </footer>
    </form>
  );
}

const faultSentence = (fault: string) => `It ${fault}.`;
