import { same } from "@tenantry/plugin-host/diff";
import { isObject, type Properties } from "@tenantry/plugin-host/properties";

/** A binding in camelCase, as inputs have it. */
export interface Binding extends Properties {
  type: string;
  name: string;
}

const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Values that the API keeps to itself, by type of binding. */
const HIDDEN: Readonly<Record<string, readonly string[]>> = {
  secret_text: ["text"],
  secret_key: ["keyBase64", "keyJwk"],
};

/** A binding in the API's names. */
export function toApiBinding(binding: Binding): Properties {
  return Object.fromEntries(Object.entries(binding).map(([key, value]) => [snake(key), value]));
}

function asDeclared(declared: Binding, live: Properties): Binding {
  const hidden = HIDDEN[declared.type] ?? [];
  const entries = Object.entries(declared).map(([key, value]) => {
    const now = live[snake(key)];
    if (live.type === declared.type && hidden.includes(key)) return [key, value];
    return [key, same(now, value) ? value : now];
  });
  return { type: String(live.type), name: declared.name, ...Object.fromEntries(entries) };
}

const camel = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function fromApiBinding(live: Properties): Binding {
  const present = Object.entries(live).filter(([, value]) => value !== null && value !== undefined);
  const entries = Object.fromEntries(present.map(([key, value]) => [camel(key), value]));
  return { ...entries, type: String(live.type), name: String(live.name) };
}

/**
 * The live bindings in the order and with the fields that were declared, so that only a true difference shows: a missing
 * one, one more, another target. A secret's value is known by name only.
 */
export function liveBindings(declared: readonly Binding[], live: unknown): Binding[] {
  const found = new Map((Array.isArray(live) ? live.filter(isObject) : []).map((item) => [String(item.name), item]));
  const known = declared.flatMap((binding) => {
    const item = found.get(binding.name);
    found.delete(binding.name);
    return item === undefined ? [] : [asDeclared(binding, item)];
  });
  return [...known, ...[...found.values()].map(fromApiBinding)];
}
