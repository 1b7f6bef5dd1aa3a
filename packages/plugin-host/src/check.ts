import type * as z from "zod";
import { hasUnknown, isObject, type Properties, UNKNOWN } from "./properties.ts";

/** One fault of the inputs. */
export interface Failure {
  /** Path of the property; empty for the whole object. */
  property: string;
  /** Message for the user. */
  reason: string;
}

/** Whether the fault lies in something not known yet, and so may be none. */
function mayBeFine(value: unknown, path: readonly PropertyKey[]): boolean {
  let at = value;
  for (const key of path) {
    if (at === UNKNOWN) return true;
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isObject(at)) at = at[String(key)];
    else return false;
  }
  return hasUnknown(at);
}

/**
 * The inputs as `schema` makes them, or its faults. Where a value is unknown its faults are passed over; the inputs
 * then stay as they are, and the check of the real run decides.
 */
export function checkInputs(schema: z.ZodType<object>, news: Properties): { inputs: Properties; failures: Failure[] } {
  const given = Object.fromEntries(Object.entries(news).filter(([, value]) => value !== null));
  const result = schema.safeParse(given);
  if (result.success) return { inputs: { ...result.data }, failures: [] };
  const faults = result.error.issues.filter((issue) => !mayBeFine(given, issue.path));
  return {
    inputs: given,
    failures: faults.map((issue) => ({ property: issue.path.map(String).join("."), reason: issue.message })),
  };
}
