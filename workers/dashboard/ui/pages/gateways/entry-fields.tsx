import { type Environment, environments } from "#domain/environment.ts";
import { SelectField, TextField } from "../../kit/form/field.tsx";
import { formatNumber } from "../../kit/format.ts";

/** Maximum of PostgreSQL's `integer`. */
const MAX_INSTANCES = 2_147_483_647;

const ANY = "any";
export type EnvironmentChoice = Environment | typeof ANY;

export const environmentOf = (choice: EnvironmentChoice): Environment | null => (choice === ANY ? null : choice);
export const choiceOf = (environment: Environment | null): EnvironmentChoice => environment ?? ANY;

export function instancesFault(text: string, bound: number): string | undefined {
  const value = /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!(value <= MAX_INSTANCES)) return "Enter a whole number.";
  if (value >= bound) return undefined;
  const needed = formatNumber(bound);
  return `${needed} instances use the gateway. Enter at least ${needed}, or move some to another gateway first.`;
}

interface FieldProps<T> {
  value: T;
  onChange: (value: T) => void;
  fault?: string | undefined;
}

export const InstancesField = ({ value, onChange, fault, about }: FieldProps<string> & { about?: string }) => (
  <TextField
    label="Maximum instances"
    about={about}
    value={value}
    onChange={onChange}
    fault={fault}
    inputMode="numeric"
    maxLength={10}
  />
);

export const EnvironmentField = ({ value, onChange, fault }: FieldProps<EnvironmentChoice>) => (
  <SelectField
    label="Environment"
    about="Tenants of this environment can use it."
    value={value}
    onChange={onChange}
    fault={fault}
    choices={[{ value: ANY, name: "Any" }, ...environments.map((one) => ({ value: one, name: one }))]}
  />
);
