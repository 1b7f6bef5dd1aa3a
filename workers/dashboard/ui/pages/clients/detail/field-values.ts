/** The fields of a client as the form holds them, by the kind of control that the table of fields names. */

import { type ApiFieldName, type ApiFieldValues, apiFieldEntries } from "#domain/settings/client.ts";
import type { FieldControl } from "#domain/settings/client-fields.ts";

export type ControlKind = FieldControl["kind"];
export type ControlOf<Kind extends ControlKind> = Extract<FieldControl, { kind: Kind }>;

export type Window = NonNullable<ApiFieldValues["maintenance_window"]>;
/** A window as a user types it: its hours may not be a number yet. */
export type TypedWindow = Omit<Window, "hours"> & { hours: string };

/** By its kind of control, a field's value in the API and as the form holds it. */
export interface Values {
  checkbox: { api: boolean; typed: boolean };
  text: { api: string; typed: string };
  window: { api: Window | null; typed: TypedWindow | null };
}
export type TypedValue = Values[ControlKind]["typed"];
export type TypedFields = Record<ApiFieldName, TypedValue>;

const LONGEST_HOURS = 24;

/** Why a window cannot be open for so long; undefined where it can. */
export const hoursFault = (text: string): string | undefined =>
  /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= LONGEST_HOURS
    ? undefined
    : `is a whole number of hours, from 1 to ${LONGEST_HOURS}`;

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

// The table of fields allows only a control that fits the values of the schema.
const conversionOf = ({ kind }: FieldControl) => conversions[kind] as unknown as Conversion<unknown, TypedValue>;

const controls = new Map<string, FieldControl>(apiFieldEntries.map(([name, { control }]) => [name, control]));

export const typedFields = (values: ApiFieldValues): TypedFields =>
  Object.fromEntries(
    apiFieldEntries.map(([name, { control }]) => [name, conversionOf(control).toTyped(values[name])]),
  ) as TypedFields;

/** What the API takes for a value of the form. Only values of fields are converted. */
export function untyped(name: string, typed: unknown): unknown {
  const control = controls.get(name);
  return control === undefined ? typed : conversionOf(control).fromTyped(typed as TypedValue);
}

export const areFieldsValid = (typed: TypedFields): boolean =>
  apiFieldEntries.every(([name, { control }]) => conversionOf(control).isValid(typed[name]));

/** The fields that the viewer may change. */
export const formFields = (isRoot: boolean): readonly { name: ApiFieldName; control: FieldControl }[] =>
  apiFieldEntries
    .filter(([, { partnerRefusal }]) => isRoot || partnerRefusal === undefined)
    .map(([name, { control }]) => ({ name, control }));
