import { isObject, type Properties } from "./properties.ts";

/** One value that differs. */
export interface Change {
  kind: "add" | "delete" | "update";
  /** The top-level property the path starts with. */
  property: string;
  /** Path as the engine writes it: `bindings[0].text`, `values["a-b"]`. */
  path: string;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

function below(path: string, key: string): string {
  if (!IDENTIFIER.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

/** Whether two JSON values are the same; a property that is undefined counts as missing. */
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

function* walk(old: unknown, now: unknown, property: string, path: string): Generator<Change> {
  if (same(old, now)) return;
  if (old === undefined) yield { kind: "add", property, path };
  else if (now === undefined) yield { kind: "delete", property, path };
  else if (isObject(old) && isObject(now)) {
    for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
      yield* walk(old[key], now[key], property, below(path, key));
    }
  } else if (Array.isArray(old) && Array.isArray(now)) {
    for (let index = 0; index < Math.max(old.length, now.length); index++) {
      yield* walk(old[index], now[index], property, `${path}[${index}]`);
    }
  } else yield { kind: "update", property, path };
}

/** The values that differ between two sets of properties, one for each leaf. A property that is undefined counts as missing. */
export function changes(old: Properties, now: Properties): Change[] {
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys].flatMap((key) => [...walk(old[key], now[key], key, below("", key))]);
}
