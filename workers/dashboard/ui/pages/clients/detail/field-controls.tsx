import type { ReactNode } from "react";
import { type ApiFieldValues, apiFieldEntries } from "#domain/settings/client.ts";
import type { FieldControl } from "#domain/settings/client-fields.ts";
import { Badge } from "#workers/dashboard/ui/kit/badge.tsx";
import { CheckField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { type FactsProps, factEntry } from "#workers/dashboard/ui/kit/layout/card.tsx";
import {
  type ControlKind,
  type ControlOf,
  formFields,
  type TypedFields,
  type TypedValue,
  type Values,
} from "./field-values.ts";
import { WindowFacts } from "./window-facts.tsx";
import { WindowFields } from "./window-fields.tsx";

interface View<Control, Api, Typed> {
  Input: (props: {
    control: Control;
    value: Typed;
    onChange: (typed: Typed) => void;
    fault: string | undefined;
  }) => ReactNode;
  Fact: (props: { control: Control; value: Api }) => ReactNode;
}

const views: { [Kind in ControlKind]: View<ControlOf<Kind>, Values[Kind]["api"], Values[Kind]["typed"]> } = {
  checkbox: {
    Input: ({ control: { label, help }, value, onChange }) => (
      <CheckField label={label} about={help} checked={value} onChange={onChange} />
    ),
    Fact: ({ control: { checkedFact, uncheckedFact }, value }) =>
      value ? <Badge tone="info">{checkedFact}</Badge> : uncheckedFact,
  },
  text: {
    Input: ({ control: { label, help }, ...rest }) => <TextField label={label} about={help} {...rest} />,
    Fact: ({ value }) => value,
  },
  window: {
    Input: ({ value, ...rest }) => <WindowFields window={value} {...rest} />,
    Fact: ({ value }) => <WindowFacts window={value} />,
  },
};

// The field table guarantees that the control fits the schema.
const viewOf = ({ kind }: FieldControl) => views[kind] as unknown as View<FieldControl, unknown, TypedValue>;

interface FieldControlsProps {
  values: TypedFields;
  onChange: (changed: Partial<TypedFields>) => void;
  faults: Readonly<Record<string, string>>;
  isRoot: boolean;
}

export function FieldControls({ values, onChange, faults, isRoot }: FieldControlsProps) {
  return formFields(isRoot).map(({ name, control }) => {
    const { Input } = viewOf(control);
    return (
      <Input
        key={name}
        control={control}
        value={values[name]}
        onChange={(value) => onChange({ [name]: value })}
        fault={faults[name]}
      />
    );
  });
}

export const fieldFacts = (values: ApiFieldValues): FactsProps["facts"] =>
  apiFieldEntries.map(([name, { control }]) => {
    const { Fact } = viewOf(control);
    return factEntry(control.factLabel ?? control.label, <Fact control={control} value={values[name]} />);
  });
