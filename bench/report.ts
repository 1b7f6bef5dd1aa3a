/** What a suite prints: a block a measurement, its target with `met` or `missed`. */
import { type Comparison, quantile } from "./measure.ts";

/** Prints a comparison. @param unit of the samples @param target the ratio that should not be exceeded, if there is one */
export function printComparison(title: string, unit: string, compared: Comparison, target?: number): void {
  const { ratios, samples, subject, baseline } = compared;
  const ratio = quantile(ratios, 0.5);
  const verdict = target === undefined ? "" : `  target ≤ ${target}: ${judged(title, ratio, target)}`;
  const spread = `${quantile(ratios, 0.25).toFixed(2)}–${quantile(ratios, 0.75).toFixed(2)}`;
  const more = quantile(samples.subject, 0.5) - quantile(samples.baseline, 0.5);
  print(title);
  print(
    `  ratio ${ratio.toFixed(2)} (quartiles ${spread} of ${ratios.length} rounds), ${more.toFixed(2)} ${unit} more${verdict}`,
  );
  for (const [{ name }, values] of [[subject, samples.subject] as const, [baseline, samples.baseline] as const]) {
    print(`  ${name.padEnd(NAME_WIDTH)} ${distribution(values, unit)}`);
  }
}

const verdicts: { title: string; value: string; target: string; verdict: string }[] = [];

/** Keeps a target's verdict for {@link printTargets}. @returns `met` or `missed` */
export function judged(title: string, value: number, target: number): string {
  const verdict = value <= target ? "met" : "missed";
  verdicts.push({ title, value: String(Number(value.toFixed(2))), target: String(target), verdict });
  return verdict;
}

/** Prints all targets that were judged. */
export function printTargets(): void {
  print("targets");
  for (const { title, value, target, verdict } of verdicts) {
    print(`  ${verdict.padEnd(6)}  ${value.padStart(6)} of at most ${target.padEnd(4)}  ${title}`);
  }
}

/** Prints figures that are compared with nothing. */
export function printFigures(title: string, figures: readonly (readonly [name: string, value: string])[]): void {
  print(title);
  for (const [name, value] of figures) print(`  ${name.padEnd(NAME_WIDTH)} ${value}`);
}

/** Median and, where there are enough values to tell it, the 99th percentile. */
export function distribution(values: readonly number[], unit: string): string {
  const of = (q: number) => `p${q * 100} ${quantile(values, q).toFixed(2)} ${unit}`;
  const shown = values.length < FEWEST_FOR_P99 ? [of(0.5)] : [of(0.5), of(0.99)];
  return `${shown.join(", ")} (n = ${values.length})`;
}

const FEWEST_FOR_P99 = 100;
const NAME_WIDTH = 46;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
