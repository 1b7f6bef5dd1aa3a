import { READABLE, VISIBLE } from "#domain/contrast.ts";
import { CheckField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import type { BrandingValues } from "./branding-values.ts";
import { ColourField } from "./colour-field.tsx";

const COLOURS = [
  ["background", "Background", undefined],
  ["text", "Text", READABLE],
  ["accent", "Accent", VISIBLE],
] as const;

interface BrandingFieldsProps {
  values: BrandingValues;
  onChange: (part: Partial<BrandingValues>) => void;
  faults: Readonly<Record<string, string>>;
  name: string;
}

export const BrandingFields = ({ values, onChange, faults, name }: BrandingFieldsProps) => (
  <>
    <TextField
      label="Display name"
      about={`Shown to users. Default: ${name}.`}
      value={values.display_name}
      onChange={(display_name) => onChange({ display_name })}
      fault={faults.display_name}
      maxLength={200}
      optional
    />
    <TextField
      label="Support address"
      about="Contact for users. Default: the platform operator."
      value={values.support_address}
      onChange={(support_address) => onChange({ support_address })}
      fault={faults.support_address}
      type="email"
      maxLength={254}
      optional
    />
    <CheckField
      label="Custom colours"
      about="Default: the platform's colours, in light and dark."
      checked={values.own_colours}
      onChange={(own_colours) => onChange({ own_colours })}
    />
    {values.own_colours
      ? COLOURS.map(([name, label, min]) => (
          <ColourField
            key={name}
            label={label}
            value={values[name]}
            onChange={(colour) => onChange({ [name]: colour })}
            fault={faults[name]}
            {...(min !== undefined && { against: { colour: values.background, min } })}
          />
        ))
      : null}
  </>
);
