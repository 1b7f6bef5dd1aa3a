import type * as z from "zod";
import { hasUnknown, isObject, type Properties, UNKNOWN } from "./properties.ts";

/** An invalid input. */
export interface Failure {
  /** Path of the property; empty for the whole object. */
  property: string;
  /** Message for the user. */
  reason: string;
}

function isUnknownAt(value: unknown, path: readonly PropertyKey[]): boolean {
  let current = value;
  for (const key of path) {
    if (current === UNKNOWN) return true;
    if (Array.isArray(current)) current = current[Number(key)];
    else if (isObject(current)) current = current[String(key)];
    else return false;
  }
  return hasUnknown(current);
}

/** Parses inputs. With issues of unknown values only, returns them unparsed: the check of the real run decides. */
export function checkInputs(
  schema: z.ZodType<object>,
  properties: Properties,
): { inputs: Properties; failures: Failure[] } {
  const given = Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null));
  const result = schema.safeParse(given);
  if (result.success) return { inputs: { ...result.data }, failures: [] };
  const failures = result.error.issues
    .filter((issue) => !isUnknownAt(given, issue.path))
    .map((issue) => ({ property: issue.path.map(String).join("."), reason: issue.message }));
  return { inputs: given, failures };
}
