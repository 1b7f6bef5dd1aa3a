/** Compares a subject with its baseline. The two alternate, so that other load on the machine affects both. */
export interface Side {
  name: string;
  /** Does one round of work. @returns at least one sample */
  round(): Promise<number[]>;
}

export interface Comparison {
  subject: Side;
  baseline: Side;
  samples: { subject: number[]; baseline: number[] };
  /** Subject divided by baseline in each round, by the medians of its samples. */
  ratios: number[];
}

export interface Bounds {
  rounds: number;
  /** No further round begins afterwards. */
  budgetMs: number;
}

/** Required to show a spread. */
const MIN_ROUNDS = 3;

/** Alternates the sides, and which one begins. @throws Error when the budget allows too few rounds, or the signal is aborted */
export async function compareSides(
  subject: Side,
  baseline: Side,
  { rounds, budgetMs }: Bounds,
  signal?: AbortSignal,
): Promise<Comparison> {
  const samples: Comparison["samples"] = { subject: [], baseline: [] };
  const ratios: number[] = [];
  const startedAt = performance.now();
  while (ratios.length < rounds && (ratios.length === 0 || performance.now() - startedAt < budgetMs)) {
    signal?.throwIfAborted();
    const first = ratios.length % 2 === 0 ? subject : baseline;
    const firstSamples = await first.round();
    const secondSamples = await (first === subject ? baseline : subject).round();
    const [ofSubject, ofBaseline] = first === subject ? [firstSamples, secondSamples] : [secondSamples, firstSamples];
    samples.subject.push(...ofSubject);
    samples.baseline.push(...ofBaseline);
    ratios.push(quantileOf(ofSubject, 0.5) / quantileOf(ofBaseline, 0.5));
  }
  if (ratios.length < Math.min(MIN_ROUNDS, rounds)) {
    throw new Error(`${subject.name}: ${ratios.length} rounds in ${budgetMs} ms are too few.`);
  }
  return { subject, baseline, samples, ratios };
}

export async function measureTime(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** @param q from 0 to 1 @throws Error when there are no values, or one is not finite */
export function quantileOf(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
  if (value === undefined || !sorted.every(Number.isFinite)) throw new Error("Nothing was measured.");
  return value;
}
