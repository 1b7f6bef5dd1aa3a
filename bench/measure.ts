/** Comparison of a subject with its baseline in one run: the two take turns, so that what else the machine does falls on both. */

/** One side of a comparison. */
export interface Side {
  name: string;
  /** Does one round of work. @returns its samples, of which there is at least one */
  round(): Promise<number[]>;
}

export interface Comparison {
  subject: Side;
  baseline: Side;
  /** All samples of all rounds. */
  samples: { subject: number[]; baseline: number[] };
  /** Subject against baseline, round by round, by the medians of the round's samples. */
  ratios: number[];
}

export interface Bounds {
  /** Rounds of each side. */
  rounds: number;
  /** Milliseconds after which no further round begins. */
  budgetMs: number;
}

/** Fewer rounds have no spread worth telling. */
const FEWEST_ROUNDS = 3;

/**
 * Lets the two sides take turns; who goes first changes with every round.
 *
 * @throws Error when the budget was spent before three rounds
 */
export async function compare(subject: Side, baseline: Side, bounds: Bounds): Promise<Comparison> {
  const samples: Comparison["samples"] = { subject: [], baseline: [] };
  const ratios: number[] = [];
  const begun = performance.now();
  while (ratios.length < bounds.rounds && performance.now() - begun < bounds.budgetMs) {
    const first = ratios.length % 2 === 0 ? subject : baseline;
    const one = await first.round();
    const other = await (first === subject ? baseline : subject).round();
    const [ofSubject, ofBaseline] = first === subject ? [one, other] : [other, one];
    samples.subject.push(...ofSubject);
    samples.baseline.push(...ofBaseline);
    ratios.push(quantile(ofSubject, 0.5) / quantile(ofBaseline, 0.5));
  }
  if (ratios.length < FEWEST_ROUNDS) {
    throw new Error(`${subject.name}: ${ratios.length} rounds in ${bounds.budgetMs} ms are too few to tell.`);
  }
  return { subject, baseline, samples, ratios };
}

/** The value below which the share `q` (0 to 1) of `values` lies. @throws Error when there are none, or one is no number */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  if (value === undefined || sorted.some((one) => !Number.isFinite(one))) throw new Error("Nothing was measured.");
  return value;
}
