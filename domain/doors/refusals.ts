/** Texts for the reasons for which doors refuse requests. */
import { errorText } from "../errors/catalogue.ts";
import { doorRefusalErrors as errors } from "../errors/tenants/door-refusals.ts";

const REFUSALS = {
  method: errors.refused_method,
  subpath: errors.refused_path,
  signature_missing: errors.refused_signature_missing,
  signature_wrong: errors.refused_signature_wrong,
  timestamp: errors.refused_time,
  malformed: errors.refused_event_unknown,
  oversized: errors.refused_size,
  BodyTooLarge: errors.refused_size,
  BodyTooSlow: errors.refused_body_slow,
  BodyIncomplete: errors.refused_body_incomplete,
} as const;

export type RecordedRefusal = keyof typeof REFUSALS;

/** Returns why a request was refused and what to do. @param reason of a later version, too */
export function refusalText(reason: string): string {
  const known = Object.hasOwn(REFUSALS, reason) ? REFUSALS[reason as RecordedRefusal] : undefined;
  return known === undefined ? errorText(errors.refused_reason_unknown, { reason }) : errorText(known);
}
