/** Schemas and variables derived from the table of a platform's settings. */
import * as z from "zod";
import { PLATFORM_SETTINGS, type PlatformSetting, type Reader } from "./platform-settings.ts";

type Table = typeof PLATFORM_SETTINGS;
type Name = keyof Table;

const ENTRIES: readonly (readonly [string, PlatformSetting])[] = Object.entries(PLATFORM_SETTINGS);
const schemasOf = (entries: typeof ENTRIES) => Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));

/** `tenantry:platform`. */
export const platformSettings = z
  .strictObject(schemasOf(ENTRIES) as { -readonly [N in Name]: Table[N]["schema"] })
  .describe("Deploys a platform in this stack.");
export type PlatformSettings = z.output<typeof platformSettings>;

/** Names of the setting variables of a reader. */
export type VariableName<R extends Reader> = {
  [N in Name]: Table[N] extends { readonly variables: { readonly [Which in R]: infer V extends string } } ? V : never;
}[Name];

/** Settings that stacks of tenants get. */
type TenantSettingName = {
  [N in Name]: Table[N] extends { readonly tenants: true } | { readonly variables: { readonly tenant: string } }
    ? N
    : never;
}[Name];

const tenantSettings = ENTRIES.filter(
  ([, { tenants, variables }]) => tenants === true || variables?.tenant !== undefined,
);

const textOf = (value: unknown): string | undefined =>
  value === undefined || typeof value === "string" ? value : JSON.stringify(value);

/** Returns the variables of a reader, sorted by name, each with a function that returns its text. */
export function variablesOf<R extends Reader>(reader: R) {
  return ENTRIES.flatMap(([setting, { variables }]) => {
    const name = variables?.[reader] as VariableName<R> | undefined;
    if (name === undefined) return [];
    return [{ name, textIn: (settings: Readonly<Record<string, unknown>>) => textOf(settings[setting]) }];
  }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the variables of a reader. A setting without a value has none. */
export function variableTexts<R extends Reader>(
  reader: R,
  settings: PlatformSettings,
): Partial<Record<VariableName<R>, string>> {
  const texts = variablesOf(reader).flatMap(({ name, textIn }) => {
    const text = textIn(settings);
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(texts) as Partial<Record<VariableName<R>, string>>;
}

/** Returns the settings that stacks of tenants get. */
export function tenantPlatformSettings(settings: PlatformSettings): Pick<PlatformSettings, TenantSettingName> {
  const values: Readonly<Record<string, unknown>> = settings;
  return Object.fromEntries(tenantSettings.map(([name]) => [name, values[name]])) as Pick<
    PlatformSettings,
    TenantSettingName
  >;
}

/** Schema with which stacks of tenants read them. Settings that an earlier release does not output have their defaults. */
export const tenantPlatformShape = schemasOf(tenantSettings) as { [N in TenantSettingName]: Table[N]["schema"] };
