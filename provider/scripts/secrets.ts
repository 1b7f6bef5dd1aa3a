/** A script's secrets, which to the API are bindings and to the engine a property of their own, as it hides whole properties. */
import { isObject, type Properties } from "../host/properties.ts";
import { type Binding, liveBindings, toApiBinding } from "./bindings.ts";

/** All that a script is bound to. */
export interface Bound {
  bindings: Binding[];
  /** Values by the names of their bindings. */
  secrets: Record<string, string>;
}

export const SECRET = "secret_text";

/** Everything bound, as the API takes it. */
export function toApiBindings({ bindings, secrets }: Bound): Properties[] {
  const apart = Object.entries(secrets).map(([name, text]) => ({ type: SECRET, name, text }));
  return [...bindings.map(toApiBinding), ...apart];
}

/** What is bound live, told as `declared` was. A secret's value is known by name only; one that nobody declared has none. */
export function liveBound({ bindings, secrets }: Bound, live: unknown): Bound {
  const all = Array.isArray(live) ? live.filter(isObject) : [];
  const names = all.filter(({ type }) => type === SECRET).map(({ name }) => String(name));
  return {
    bindings: liveBindings(
      bindings,
      all.filter(({ type }) => type !== SECRET),
    ),
    secrets: Object.fromEntries(names.map((name) => [name, secrets[name] ?? ""])),
  };
}

/** `known` with its secrets apart: a state of before they had a property of their own holds them among the bindings. */
export function withSecretsApart<T extends Bound>(known: T): T {
  const among = known.bindings.filter(({ type }) => type === SECRET);
  return {
    ...known,
    bindings: known.bindings.filter(({ type }) => type !== SECRET),
    secrets: { ...Object.fromEntries(among.map(({ name, text }) => [name, String(text ?? "")])), ...known.secrets },
  };
}
