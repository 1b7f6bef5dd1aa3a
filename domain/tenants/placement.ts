import { errorLine, errorMessage } from "../errors/catalogue-error.ts";
import { planRuleErrors } from "../errors/stack/plan-rules.ts";
/** Places all tenants of a stack on one of several platforms. */

/** A platform before a run. */
export interface Candidate {
  /** Stack of the platform. */
  readonly stack: string;
  /** Rows of this stack, or with its slugs, in the platform's database. */
  readonly holds: readonly string[];
  /** Why the platform cannot take the stack's tenants; empty if it can. */
  readonly faults: readonly string[];
}

export type Placement<C extends Candidate> =
  | { readonly kind: "stays"; readonly at: C }
  /** The first platform with room; `full` precede it. */
  | { readonly kind: "new"; readonly at: C; readonly full: readonly C[] }
  | { readonly kind: "refused"; readonly heading: string; readonly faults: readonly string[] };

/**
 * Chooses by existing rows, so that every run chooses the same platform. A stack stays on its platform, even a full one, because a move
 * would delete its tenants. A new stack gets the first platform with room.
 *
 * @param candidates in the order of preference
 */
export function placementOf<C extends Candidate>(candidates: readonly C[]): Placement<C> {
  const holding = candidates.filter(({ holds }) => holds.length > 0);
  const [at, another] = holding;
  if (at !== undefined && another !== undefined) {
    return {
      kind: "refused",
      heading: `${errorLine(planRuleErrors.tenants_on_several_platforms)}:`,
      faults: holding.map(({ stack, holds }) =>
        errorMessage(planRuleErrors.platform_has_tenants, { platform: stack, tenants: holds.join(", ") }),
      ),
    };
  }
  if (at !== undefined && at.faults.length > 0) {
    return {
      kind: "refused",
      heading: `${errorLine(planRuleErrors.platform_without_room, { platform: at.stack, tenants: at.holds.join(", ") })}:`,
      faults: at.faults,
    };
  }
  if (at !== undefined) return { kind: "stays", at };
  const first = candidates.findIndex(({ faults }) => faults.length === 0);
  const found = candidates[first];
  if (found !== undefined) return { kind: "new", at: found, full: candidates.slice(0, first) };
  return {
    kind: "refused",
    heading: `${errorLine(planRuleErrors.no_platform_with_room)}:`,
    faults: candidates.flatMap(({ stack, faults }) => faults.map((fault) => `${stack}: ${fault}`)),
  };
}
