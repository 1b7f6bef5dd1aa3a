/** Which of several platforms a stack's tenants are placed at: all of them at one. */

/** A platform as it is before a run. */
export interface Candidate {
  /** Stack that holds it. */
  readonly stack: string;
  /** What its database has of this stack already, or of its slugs, as a refusal names each. */
  readonly holds: readonly string[];
  /** Why the stack's tenants cannot be had there, a text each; none where there is room. */
  readonly faults: readonly string[];
}

export type Placement<C extends Candidate> =
  /** They are there already. */
  | { readonly kind: "stays"; readonly at: C }
  /** The first with room, after those that have none. */
  | { readonly kind: "new"; readonly at: C; readonly full: readonly C[] }
  | { readonly kind: "refused"; readonly heading: string; readonly faults: readonly string[] };

/**
 * Chooses by what is there alone, so that every run chooses the same: a stack stays with the platform that has anything of it, full or
 * not, since to move would be to remove its tenants; a new one gets the first that has room.
 *
 * @param candidates in the order of preference
 */
export function placementOf<C extends Candidate>(candidates: readonly C[]): Placement<C> {
  const holding = candidates.filter(({ holds }) => holds.length > 0);
  const [at, another] = holding;
  if (at !== undefined && another !== undefined) {
    return {
      kind: "refused",
      heading:
        "a stack has one platform for all of its tenants, and a slug is one tenant's at all platforms. Declare what is at each in a stack " +
        "of its own, or choose other slugs:",
      faults: holding.map(({ stack, holds }) => `${stack} has ${holds.join(", ")}`),
    };
  }
  if (at !== undefined && at.faults.length > 0) {
    return {
      kind: "refused",
      heading:
        `a stack has one platform for all of its tenants, and ${at.stack} has ${at.holds.join(", ")}. A new tenant that cannot be had there ` +
        "may be declared in a stack of its own:",
      faults: at.faults,
    };
  }
  if (at !== undefined) return { kind: "stays", at };
  const first = candidates.findIndex(({ faults }) => faults.length === 0);
  const found = candidates[first];
  if (found !== undefined) return { kind: "new", at: found, full: candidates.slice(0, first) };
  return {
    kind: "refused",
    heading:
      "no platform has room for this stack's tenants; make room at one, or name more of them in tenantry:platformStack:",
    faults: candidates.flatMap(({ stack, faults }) => faults.map((fault) => `${stack}: ${fault}`)),
  };
}
