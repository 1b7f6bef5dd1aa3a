/** Texts for the reasons for which a policy refuses requests. */
import { errorText } from "../errors/catalogue.ts";
import { egressRefusalErrors as errors } from "../errors/tenants/egress.ts";
import type { EgressRefusal } from "./policy-types.ts";

const REFUSALS = {
  "not-listed": errors.egress_not_listed,
  port: errors.egress_port,
  method: errors.egress_method,
  "private-address": errors.egress_private_address,
  "control-host": errors.egress_control_host,
  scheme: errors.egress_scheme,
} as const satisfies Readonly<Record<EgressRefusal, object>>;

/** Returns why a request was refused, and what to do. */
export function egressRefusalText(
  reason: EgressRefusal,
  values: Readonly<{ host: string; port: number | string; method: string }>,
): string {
  return errorText(REFUSALS[reason], values);
}
