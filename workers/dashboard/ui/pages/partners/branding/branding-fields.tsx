import { READABLE, VISIBLE } from "#domain/contrast.ts";
import { CheckField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import type { BrandingValues } from "./branding-values.ts";
import { ColourField } from "./colour-field.tsx";

export interface BrandingFieldsProps {
  values: BrandingValues;
  onChange: (part: Partial<BrandingValues>) => void;
  /** What is wrong with each, by its name. */
  faults: Readonly<Record<string, string>>;
  /** The partner's, for where no other is shown. */
  name: string;
}

export function BrandingFields({ values, onChange, faults, name }: BrandingFieldsProps) {
  const { text, background, accent } = values;
  return (
    <>
      <TextField
        label="Display name"
        about={`What people read. Without one: ${name}.`}
        value={values.display_name}
        onChange={(display_name) => onChange({ display_name })}
        fault={faults.display_name}
        maxLength={200}
        autoComplete="off"
        optional
      />
      <TextField
        label="Support address"
        about="Whom people ask for help. Without one: whoever runs the platform."
        value={values.support_address}
        onChange={(support_address) => onChange({ support_address })}
        fault={faults.support_address}
        type="email"
        maxLength={254}
        autoComplete="off"
        optional
      />
      <CheckField
        label="Colours of its own"
        about="Without them: the platform's, in light and dark."
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
            against={{ colour: background, least: READABLE }}
          />
          <ColourField
            label="Accent"
            value={accent}
            onChange={(next) => onChange({ accent: next })}
            fault={faults.accent}
            against={{ colour: background, least: VISIBLE }}
          />
        </>
      ) : null}
    </>
  );
}
