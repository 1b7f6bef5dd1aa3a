/** Compares a subject with its baseline in one run. The two take turns, so that other load on the machine falls on both. */

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

/** Fewer rounds show no spread. Where fewer are asked for, nothing is judged by them. */
const FEWEST_ROUNDS = 3;

/**
 * Lets the two sides take turns. Who goes first changes with every round.
 *
 * @throws Error when the budget was spent before three rounds, or the signal is aborted
 */
export async function compare(
  subject: Side,
  baseline: Side,
  { rounds, budgetMs }: Bounds,
  signal?: AbortSignal,
): Promise<Comparison> {
  const samples: Comparison["samples"] = { subject: [], baseline: [] };
  const ratios: number[] = [];
  const begun = performance.now();
  while (ratios.length < rounds && (ratios.length === 0 || performance.now() - begun < budgetMs)) {
    signal?.throwIfAborted();
    const first = ratios.length % 2 === 0 ? subject : baseline;
    const one = await first.round();
    const other = await (first === subject ? baseline : subject).round();
    const [ofSubject, ofBaseline] = first === subject ? [one, other] : [other, one];
    samples.subject.push(...ofSubject);
    samples.baseline.push(...ofBaseline);
    ratios.push(quantile(ofSubject, 0.5) / quantile(ofBaseline, 0.5));
  }
  if (ratios.length < Math.min(FEWEST_ROUNDS, rounds)) {
    throw new Error(`${subject.name}: ${ratios.length} rounds in ${budgetMs} ms are too few.`);
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
