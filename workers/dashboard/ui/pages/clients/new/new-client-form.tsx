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

export interface NewClientValues {
  slug: string;
  name: string;
  plan: Plan;
  /** Id; empty for an internal client, or a partner root's own partner. */
  partner: string;
  /** Whether its instance is provisioned at once. */
  provision: boolean;
}
export const EMPTY: NewClientValues = { slug: "", name: "", plan: "basic", partner: "", provision: true };

export interface NewClientFormProps {
  values: NewClientValues;
  onChange: (part: Partial<NewClientValues>) => void;
  /** What is wrong with the slug. */
  slugFault: string | undefined;
  creation: Creation;
  ready: boolean;
  onGiveUp: () => void;
}

export function NewClientForm({ values, onChange, slugFault, creation, ready, onGiveUp }: NewClientFormProps) {
  const { isRoot } = useViewer();
  const partners = usePartners();
  const { made, busy, error } = creation;
  const faults = made === undefined ? fieldFaults(error) : {};
  const fault = slugFault === undefined ? faults.slug : sentence(slugFault);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready || busy) return;
    if (made !== undefined) return creation.provision();
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
      <TextField
        label="Slug"
        // In one place, so that nothing below moves.
        about={
          fault === undefined
            ? "Its host begins with it, and it never changes: use letters, digits, hyphens."
            : undefined
        }
        value={values.slug}
        onChange={(slug) => onChange({ slug: slug.toLowerCase() })}
        fault={fault}
        maxLength={MAX_SLUG_LENGTH + 1}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        disabled={made !== undefined}
      />
      <TextField
        label="Name"
        optional
        about="What people read. Left out, it is the slug."
        value={values.name}
        onChange={(name) => onChange({ name })}
        fault={faults.name}
        maxLength={200}
        autoComplete="off"
        disabled={made !== undefined}
      />
      <SelectField
        label="Plan"
        value={values.plan}
        onChange={(plan) => onChange({ plan })}
        choices={plans.map((plan) => ({ value: plan, name: planLabel(plan) }))}
        fault={faults.billing_plan}
        disabled={made !== undefined}
      />
      {isRoot ? (
        <SelectField
          label="Partner"
          value={values.partner}
          onChange={(partner) => onChange({ partner })}
          choices={[
            { value: "", name: "None: an internal client" },
            ...partners.map(({ id, name }) => ({ value: id, name })),
          ]}
          fault={faults.partner_id}
          disabled={made !== undefined}
        />
      ) : null}
      <CheckField
        label="Provision its instance at once"
        about="Its container, AI gateway, backup bucket and access are made; the next page shows how far that is."
        checked={values.provision}
        onChange={(provision) => onChange({ provision })}
        disabled={made !== undefined}
      />
      {made === undefined ? <Fault error={error} /> : null}
      <footer className="flex justify-end gap-2">
        <ButtonLink to="/clients" onClick={onGiveUp}>
          Cancel
        </ButtonLink>
        <Button type="submit" look="primary" busy={busy} disabled={!ready}>
          {made === undefined ? "Create client" : "Try the instance again"}
        </Button>
      </footer>
    </form>
  );
}

const sentence = (fault: string) => `It ${fault}.`;
