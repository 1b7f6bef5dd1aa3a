import type { ChannelKind, ChannelValues } from "#domain/channels/kinds.ts";
import { fieldsOf } from "#domain/channels/kinds.ts";
import { fieldFaults } from "#workers/dashboard/ui/api/faults.ts";
import { TextField } from "#workers/dashboard/ui/kit/form/field.tsx";
import { SecretField } from "#workers/dashboard/ui/kit/form/secret-field.tsx";

const MAX_LENGTH = 4_096;

interface TokenFieldsProps {
  kind: ChannelKind;
  pasted: ChannelValues;
  onChange: (pasted: ChannelValues) => void;
  error: unknown;
  /** Whether empty values stay as they are. */
  isReplacement?: boolean;
}

/** Values of a channel. Forms do not store them as a draft. */
export function TokenFields({ kind, pasted, onChange, error, isReplacement = false }: TokenFieldsProps) {
  const faults: Readonly<Record<string, string | undefined>> = fieldFaults(error);
  return fieldsOf(kind).map(([name, { label, about, place, optional = false }]) => {
    const Field = place === "settings" ? TextField : SecretField;
    return (
      <Field
        key={name}
        label={optional ? `${label} (optional)` : label}
        {...(isReplacement ? { about: "Empty: unchanged." } : about !== undefined && { about })}
        value={pasted[name] ?? ""}
        onChange={(value) => onChange({ ...pasted, [name]: value })}
        fault={faults[name] === undefined ? undefined : `This value ${faults[name]}.`}
        maxLength={MAX_LENGTH}
        {...(place === "settings" && { spellCheck: false })}
        required={!optional && !isReplacement}
      />
    );
  });
}

/** Returns the values that were entered. */
export const enteredValues = (pasted: ChannelValues): ChannelValues =>
  Object.fromEntries(Object.entries(pasted).filter(([, value]) => value?.trim()));

export const isComplete = (kind: ChannelKind, pasted: ChannelValues): boolean =>
  fieldsOf(kind).every(([name, { optional }]) => optional === true || pasted[name]?.trim());
