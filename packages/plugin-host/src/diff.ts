import { isObject, type Properties } from "./properties.ts";

/** A value that differs. */
export interface Change {
  kind: "add" | "delete" | "update";
  /** The top-level property of the path. */
  property: string;
  /** Path in the engine's notation: `bindings[0].text`, `values["a-b"]`. */
  path: string;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

function childPath(path: string, key: string): string {
  if (!IDENTIFIER.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** Returns whether two JSON values are equal. An undefined property counts as missing. */
export function same(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => same(item, right[index]));
  }
  if (isObject(left) && isObject(right)) {
    const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...keys].every((key) => same(left[key], right[key]));
  }
  return left === right;
}

function* walkChanges(old: unknown, now: unknown, property: string, path: string): Generator<Change> {
  if (same(old, now)) return;
  if (old === undefined) yield { kind: "add", property, path };
  else if (now === undefined) yield { kind: "delete", property, path };
  else if (isObject(old) && isObject(now)) {
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      yield* walkChanges(old[key], now[key], property, childPath(path, key));
    }
  } else if (Array.isArray(old) && Array.isArray(now)) {
    for (let index = 0; index < Math.max(old.length, now.length); index++) {
      yield* walkChanges(old[index], now[index], property, `${path}[${index}]`);
    }
  } else yield { kind: "update", property, path };
}

/** Returns the leaf values that differ between two sets of properties. An undefined property counts as missing. */
export function changes(old: Properties, now: Properties): Change[] {
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys].flatMap((key) => [...walkChanges(old[key], now[key], key, childPath("", key))]);
}
