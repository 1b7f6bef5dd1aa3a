import { isObject, type Properties } from "@tenantry/plugin-host";

const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (key: string) => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function deep(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => deep(item, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [rename(key), deep(inner, rename)]));
}

/** Names a kind has of its own, the vendor plugin's to the API's, such as `includes` to `include`. */
export type Renames = Readonly<Record<string, string>>;

/** Properties, by the vendor plugin's names, within which both have the same names. */
export type Verbatim = readonly string[];

/** Properties in the vendor plugin's names as a body in the API's. @param verbatim Default: none */
export function toBody(properties: Properties, renames: Renames, verbatim: Verbatim = []): Properties {
  const entries = Object.entries(properties).map(([key, value]) => [
    renames[key] ?? snake(key),
    verbatim.includes(key) ? value : deep(value, snake),
  ]);
  return Object.fromEntries(entries);
}

/** A record of the API in the vendor plugin's names, without what is null. @param verbatim Default: none */
export function fromRecord(record: Properties, renames: Renames, verbatim: Verbatim = []): Properties {
  const back = new Map(Object.entries(renames).map(([ours, theirs]) => [theirs, ours]));
  const present = Object.entries(record).filter(([, value]) => value !== null && value !== undefined);
  const entries = present.map(([key, value]) => {
    const name = back.get(key) ?? camel(key);
    return [name, verbatim.includes(name) ? value : deep(value, camel)];
  });
  return Object.fromEntries(entries);
}

export { snake };
