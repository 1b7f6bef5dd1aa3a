import { isObject, type Properties } from "@tenantry/plugin-host";

export const toSnakeCase = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const toCamelCase = (key: string) => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function renameKeysDeep(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeysDeep(item, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [rename(key), renameKeysDeep(inner, rename)]));
}

/** API names that differ from the provider's by more than case, such as `include` for `includes`. */
export type Renames = Readonly<Record<string, string>>;

/** Properties whose nested names are the same in both. */
export type Verbatim = readonly string[];

/** Converts properties to a body with the API's names. @param verbatim Default: none */
export function toBody(properties: Properties, renames: Renames, verbatim: Verbatim = []): Properties {
  const entries = Object.entries(properties).map(([key, value]) => [
    renames[key] ?? toSnakeCase(key),
    verbatim.includes(key) ? value : renameKeysDeep(value, toSnakeCase),
  ]);
  return Object.fromEntries(entries);
}

/** Converts a record to the provider's names, without nulls. @param verbatim Default: none */
export function fromRecord(record: Properties, renames: Renames, verbatim: Verbatim = []): Properties {
  const back = new Map(Object.entries(renames).map(([ours, theirs]) => [theirs, ours]));
  const present = Object.entries(record).filter(([, value]) => value !== null && value !== undefined);
  const entries = present.map(([key, value]) => {
    const name = back.get(key) ?? toCamelCase(key);
    return [name, verbatim.includes(name) ? value : renameKeysDeep(value, toCamelCase)];
  });
  return Object.fromEntries(entries);
}
