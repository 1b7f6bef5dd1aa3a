/**
 * What a script is bound to, as inputs have it and as the API does, where it is one list. Bindings go by their names, and secrets are a property
 * of their own, since the engine hides whole properties.
 */

import { type Binding, liveBindings, toApiBinding } from "@tenantry/cloudflare-client/scripts";
import { isObject, type Properties } from "@tenantry/plugin-host";

/** Bindings that are no secrets, by name. */
export type Bindings = Record<string, Properties & { type: string }>;

/** All that a script is bound to. */
export interface Bound {
  bindings: Bindings;
  /** Values by the names of their bindings. */
  secrets: Record<string, string>;
}

export const SECRET = "secret_text";

const listed = (bindings: Bindings): Binding[] =>
  Object.entries(bindings).map(([name, binding]) => ({ ...binding, name }));

const byName = (bindings: readonly Binding[]): Bindings =>
  Object.fromEntries(bindings.map(({ name, type, ...rest }) => [name, { type, ...rest }]));

/** Everything bound, as the API takes it. */
export function toApiBindings({ bindings, secrets }: Bound): Properties[] {
  const apart = Object.entries(secrets).map(([name, text]) => ({ type: SECRET, name, text }));
  return [...listed(bindings).map(toApiBinding), ...apart];
}

/** What is bound live, told as `declared` was. A secret's value is known by name only; one that nobody declared has none. */
export function liveBound({ bindings, secrets }: Bound, live: unknown): Bound {
  const all = Array.isArray(live) ? live.filter(isObject) : [];
  const names = all.filter(({ type }) => type === SECRET).map(({ name }) => String(name));
  const open = all.filter(({ type }) => type !== SECRET);
  return {
    bindings: byName(liveBindings(listed(bindings), open)),
    secrets: Object.fromEntries(names.map((name) => [name, secrets[name] ?? ""])),
  };
}

/** `known` as it is written now: a state of before has a list of bindings, secrets among them. */
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
