/** What a policy would change for traffic that a tenant's Worker recorded. */
import { type CompiledPolicy, refusalOf } from "./decide.ts";
import type { EgressHost, EgressRefusal } from "./policy-types.ts";

/** Recorded traffic that a policy would refuse. */
export interface EgressLoss extends Pick<EgressHost, "host" | "port" | "program" | "lastAt"> {
  /** Requests that were allowed. */
  readonly requests: number;
  readonly reason: EgressRefusal;
}

/** Returns the traffic that was allowed and that a policy would refuse, the most requests first. Methods are not recorded, so that any is assumed. */
export function previewEgress(policy: CompiledPolicy, hosts: readonly EgressHost[]): EgressLoss[] {
  return hosts
    .flatMap(({ host, port, program, lastAt, requests, refused }) => {
      const reason = requests > refused ? refusalOf(policy, { host, port }) : undefined;
      return reason === undefined ? [] : [{ host, port, program, lastAt, requests: requests - refused, reason }];
    })
    .toSorted((one, other) => other.requests - one.requests);
}
