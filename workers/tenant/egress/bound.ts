import { type EgressBound, egressBound } from "#domain/egress/policy-types.ts";
import { jsonOf } from "#workers/shared/env.ts";

const binding = jsonOf(egressBound);

/** Parses `EGRESS_BOUND`; `undefined` in a deployment of an earlier version. @throws Error when it is malformed */
export const egressBoundOf = ({ EGRESS_BOUND: text }: { EGRESS_BOUND?: string }): EgressBound | undefined =>
  text ? binding.parse(text) : undefined;
