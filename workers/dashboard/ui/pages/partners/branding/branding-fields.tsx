import { contrastRatio, isColour, READABLE, VISIBLE } from "#domain/contrast.ts";
import { CheckField, TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import type { BrandingValues } from "./branding-values.ts";

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

interface ColourFieldProps {
  label: string;
  /** `#rrggbb`, or what is typed so far. */
  value: string;
  onChange: (value: string) => void;
  fault?: string | undefined;
  /** The colour to contrast with, and the minimum ratio. */
  against?: { colour: string; min: number };
}

function ColourField({ label, value, onChange, fault, against }: ColourFieldProps) {
  const type = (text: string) => onChange(/^[0-9a-f]{6}$/i.test(text.trim()) ? `#${text.trim()}` : text.trim());
  const known = against !== undefined && isColour(value) && isColour(against.colour);
  const ratio = known ? contrastRatio(value, against.colour).toFixed(2) : undefined;
  return (
    <div className="flex items-start gap-2">
      <input
        type="color"
        aria-label={`Pick ${label.toLowerCase()} colour`}
        value={isColour(value) ? value : "#000000"}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="mt-6 h-8.5 w-10 shrink-0 rounded-md border border-line-strong bg-raised p-1"
      />
      <div className="min-w-0 flex-1">
        <TextField
          label={label}
          value={value}
          onChange={type}
          fault={fault}
          about={fault === undefined && ratio !== undefined ? `Contrast ${ratio}, at min ${against?.min}` : undefined}
          maxLength={7}
          spellCheck={false}
          className="font-mono"
        />
      </div>
    </div>
  );
}
