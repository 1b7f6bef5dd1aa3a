/** What a stand-in does differently from what it stands for, as data. */

/** Accepts, shows or keeps more: what works here may fail there. */
interface Leniency {
  is: "lenient";
  /** What the stand-in does, as a sentence. */
  does: string;
  /** Why it is left, as a sentence. */
  because: string;
  /** Id of the conformance case, or name of the limit, that settles it. Default: neither. */
  settledBy?: string;
}

interface Strictness {
  /** `missing`: refuses or lacks what exists there. `undocumented`: nothing says what is done there. */
  is: "missing" | "undocumented";
  /** What the stand-in does, as a sentence. */
  does: string;
}

export type Difference = Leniency | Strictness;

export interface StandIn {
  title: string;
  differs: readonly Difference[];
}

export const missing = (does: string): Difference => ({ is: "missing", does });

export const undocumented = (does: string): Difference => ({ is: "undocumented", does });

export const lenient = (does: string, because: string, settledBy?: string): Difference => ({
  is: "lenient",
  does,
  because,
  ...(settledBy !== undefined && { settledBy }),
});

/** Returns the leniencies of stand-ins, with their titles. */
export function leniencies(standIns: readonly StandIn[]): (Leniency & { of: string })[] {
  return standIns.flatMap(({ title, differs }) =>
    differs.flatMap((one) => (one.is === "lenient" ? [{ ...one, of: title }] : [])),
  );
}
