/**
 * Bindings and secrets of a script. The API has one list of both; inputs have both by name, and secrets as a property of their own,
 * because the engine encrypts whole properties.
 */

import { type Binding, liveBindings, toApiBinding } from "@tenantry/cloudflare-client/scripts";
import { isObject, type Properties } from "@tenantry/plugin-host";

export type Bindings = Record<string, Properties & { type: string }>;

export interface Bound {
  bindings: Bindings;
  secrets: Record<string, string>;
}

export const SECRET = "secret_text";

const listBindings = (bindings: Bindings): Binding[] =>
  Object.entries(bindings).map(([name, binding]) => ({ ...binding, name }));

const byName = (bindings: readonly Binding[]): Bindings =>
  Object.fromEntries(bindings.map(({ name, type, ...rest }) => [name, { type, ...rest }]));

export function toApiBindings({ bindings, secrets }: Bound): Properties[] {
  const apart = Object.entries(secrets).map(([name, text]) => ({ type: SECRET, name, text }));
  return [...listBindings(bindings).map(toApiBinding), ...apart];
}

/** Returns the live bindings in the form of `declared`. The API returns names of secrets only; an undeclared one gets an empty value. */
export function liveBound({ bindings, secrets }: Bound, live: unknown): Bound {
  const all = Array.isArray(live) ? live.filter(isObject) : [];
  const names = all.filter(({ type }) => type === SECRET).map(({ name }) => String(name));
  const open = all.filter(({ type }) => type !== SECRET);
  return {
    bindings: byName(liveBindings(listBindings(bindings), open)),
    secrets: Object.fromEntries(names.map((name) => [name, secrets[name] ?? ""])),
  };
}

/** Converts a state of an earlier release, which has a list of bindings with secrets among them. */
export function withBound<T extends Bound>(known: T): T {
  const before: unknown = known.bindings;
  if (!Array.isArray(before)) return known;
  const all = before
    .filter(isObject)
    .map((item): Binding => ({ ...item, type: String(item.type), name: String(item.name) }));
  const among = all.filter(({ type }) => type === SECRET);
  return {
    ...known,
    bindings: byName(all.filter(({ type }) => type !== SECRET)),
    secrets: { ...Object.fromEntries(among.map(({ name, text }) => [name, String(text ?? "")])), ...known.secrets },
  };
}
