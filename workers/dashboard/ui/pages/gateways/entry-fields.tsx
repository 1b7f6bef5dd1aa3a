/** What an entry is made of, as it is typed. */
import { type Environment, environments } from "#domain/environment.ts";
import { SelectField, TextField } from "../../kit/form/field.tsx";
import { formatNumber } from "../../kit/format.ts";

/** PostgreSQL's `integer`. */
const MOST_INSTANCES = 2_147_483_647;

const ANY = "any";
export type EnvironmentChoice = Environment | typeof ANY;

/** The API's word for a choice: null for any. */
export const environmentOf = (choice: EnvironmentChoice): Environment | null => (choice === ANY ? null : choice);
export const choiceOf = (environment: Environment | null): EnvironmentChoice => environment ?? ANY;

/** Why that many are refused; undefined where they are not. @param bound how many bind the entry now */
export function instancesFault(text: string, bound: number): string | undefined {
  const value = /^\d{1,10}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (!(value <= MOST_INSTANCES)) return "is no number of instances; write a whole one";
  if (value >= bound) return undefined;
  const needed = formatNumber(bound);
  return `is below the ${needed} that bind it now; allow ${needed}, or move some to another gateway first`;
}

interface FieldProps<T> {
  value: T;
  onChange: (value: T) => void;
  fault?: string | undefined;
}

export function InstancesField({ value, onChange, fault, about }: FieldProps<string> & { about?: string }) {
  return (
    <TextField
      label="Most instances"
      about={about}
      value={value}
      onChange={onChange}
      fault={fault}
      inputMode="numeric"
      autoComplete="off"
      maxLength={10}
    />
  );
}

export function EnvironmentField({ value, onChange, fault }: FieldProps<EnvironmentChoice>) {
  return (
    <SelectField
      label="Environment"
      about="Whose tenants may bind it."
      value={value}
      onChange={onChange}
      fault={fault}
      choices={[{ value: ANY, name: "any" }, ...environments.map((one) => ({ value: one, name: one }))]}
    />
  );
}
