import { READABLE, VISIBLE } from "#domain/contrast.ts";
import { CheckField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import type { BrandingValues } from "./branding-values.ts";
import { ColourField } from "./colour-field.tsx";

interface BrandingFieldsProps {
  values: BrandingValues;
  onChange: (part: Partial<BrandingValues>) => void;
  faults: Readonly<Record<string, string>>;
  name: string;
}

export function BrandingFields({ values, onChange, faults, name }: BrandingFieldsProps) {
  const { text, background, accent } = values;
  return (
    <>
      <TextField
        label="Display name"
        about={`Shown to users. Default: ${name}.`}
        value={values.display_name}
        onChange={(display_name) => onChange({ display_name })}
        fault={faults.display_name}
        maxLength={200}
        autoComplete="off"
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
        autoComplete="off"
        optional
      />
      <CheckField
        label="Custom colours"
        about="Default: the platform's colours, in light and dark."
        checked={values.own_colours}
        onChange={(own_colours) => onChange({ own_colours })}
      />
      {values.own_colours ? (
        <>
          <ColourField
            label="Background"
            value={background}
            onChange={(next) => onChange({ background: next })}
            fault={faults.background}
          />
          <ColourField
            label="Text"
            value={text}
            onChange={(next) => onChange({ text: next })}
            fault={faults.text}
            against={{ colour: background, min: READABLE }}
          />
          <ColourField
            label="Accent"
            value={accent}
            onChange={(next) => onChange({ accent: next })}
            fault={faults.accent}
            against={{ colour: background, min: VISIBLE }}
          />
        </>
      ) : null}
    </>
  );
}
