import { type ApiFieldName, type ApiFieldValues, apiFieldEntries } from "#domain/settings/client.ts";
import type { FieldControl } from "#domain/settings/client-fields.ts";

export type ControlKind = FieldControl["kind"];
export type ControlOf<Kind extends ControlKind> = Extract<FieldControl, { kind: Kind }>;

export type Window = NonNullable<ApiFieldValues["maintenance_window"]>;
/** A window while it is edited: `hours` may not be a number yet. */
export type TypedWindow = Omit<Window, "hours"> & { hours: string };

export interface Values {
  checkbox: { api: boolean; typed: boolean };
  text: { api: string; typed: string };
  window: { api: Window | null; typed: TypedWindow | null };
}
export type TypedValue = Values[ControlKind]["typed"];
export type TypedFields = Record<ApiFieldName, TypedValue>;

const MAX_HOURS = 24;

export const hoursFault = (text: string): string | undefined =>
  /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_HOURS
    ? undefined
    : `Enter a whole number of hours, from 1 to ${MAX_HOURS}.`;

interface Conversion<Api, Typed> {
  toTyped: (value: Api) => Typed;
  fromTyped: (typed: Typed) => Api;
  isValid: (typed: Typed) => boolean;
}

const conversions: { [Kind in ControlKind]: Conversion<Values[Kind]["api"], Values[Kind]["typed"]> } = {
  checkbox: { toTyped: (value) => value, fromTyped: (typed) => typed, isValid: () => true },
  text: { toTyped: (value) => value, fromTyped: (typed) => typed, isValid: () => true },
  window: {
    toTyped: (value) => value && { ...value, hours: String(value.hours) },
    fromTyped: (typed) => typed && { ...typed, hours: Number(typed.hours) },
    isValid: (typed) => typed === null || hoursFault(typed.hours) === undefined,
  },
};

// The field table guarantees that the control fits the schema.
const conversionOf = ({ kind }: FieldControl) => conversions[kind] as unknown as Conversion<unknown, TypedValue>;

const controls = new Map<string, FieldControl>(apiFieldEntries.map(([name, { control }]) => [name, control]));

export const typedFields = (values: ApiFieldValues): TypedFields =>
  Object.fromEntries(
    apiFieldEntries.map(([name, { control }]) => [name, conversionOf(control).toTyped(values[name])]),
  ) as TypedFields;

/** Converts a form value to the API's. Returns other values unchanged. */
export function parseFieldValue(name: string, typed: unknown): unknown {
  const control = controls.get(name);
  return control === undefined ? typed : conversionOf(control).fromTyped(typed as TypedValue);
}

export const areFieldsValid = (typed: TypedFields): boolean =>
  apiFieldEntries.every(([name, { control }]) => conversionOf(control).isValid(typed[name]));

export const formFields = (isRoot: boolean): readonly { name: ApiFieldName; control: FieldControl }[] =>
  apiFieldEntries
    .filter(([, { partnerRefusal }]) => isRoot || partnerRefusal === undefined)
    .map(([name, { control }]) => ({ name, control }));
