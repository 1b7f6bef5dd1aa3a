import { contrast, isColour } from "#domain/contrast.ts";
import { TextField } from "#workers/dashboard/ui/kit/form/field.tsx";

export interface ColourFieldProps {
  label: string;
  /** As `#rrggbb`, or what is typed on the way there. */
  value: string;
  onChange: (value: string) => void;
  fault?: string | undefined;
  /** What it has to be told from, and by which ratio at least; left out for that itself. */
  against?: { colour: string; least: number };
}

/** A colour, picked or typed. */
export function ColourField({ label, value, onChange, fault, against }: ColourFieldProps) {
  const type = (text: string) => onChange(/^[0-9a-f]{6}$/i.test(text.trim()) ? `#${text.trim()}` : text.trim());
  const known = against !== undefined && isColour(value) && isColour(against.colour);
  const ratio = known ? contrast(value, against.colour).toFixed(2) : undefined;
  return (
    <div className="flex items-start gap-2">
      <input
        type="color"
        aria-label={`Pick: ${label}`}
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
          about={
            fault === undefined && ratio !== undefined ? `Contrast ${ratio}, at least ${against?.least}` : undefined
          }
          maxLength={7}
          spellCheck={false}
          autoComplete="off"
          className="font-mono"
        />
      </div>
    </div>
  );
}
