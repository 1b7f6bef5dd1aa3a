/** The recorder of a suite's results: it prints each as it comes, and holds all of them as data. */
import { type Comparison, quantile } from "./measure.ts";

/** A value that must not exceed a target. */
export interface Limit {
  title: string;
  value: number;
  target: number;
}

export interface RatioResult {
  kind: "ratio";
  title: string;
  unit: string;
  /** Quartiles of the ratios of the rounds, the median in the middle. */
  quartiles: readonly [lower: number, median: number, upper: number];
  rounds: number;
  sides: readonly { name: string; samples: readonly number[] }[];
  /** The ratio that should not be exceeded, if there is one. */
  target?: number;
}

export type Figure = readonly [name: string, value: string, limit?: Limit];

export interface FiguresResult {
  kind: "figures";
  title: string;
  figures: readonly Figure[];
}

/** Text as a program printed it, such as a query's plan. */
export interface TextResult {
  kind: "text";
  title: string;
  text: string;
}

export type Result = RatioResult | FiguresResult | TextResult;

export type Print = (line: string) => void;

export class Report {
  readonly results: Result[] = [];
  readonly #print: Print;

  constructor(print: Print) {
    this.#print = print;
  }

  /** @param unit of the samples @param target the ratio that should not be exceeded, if there is one */
  comparison(title: string, unit: string, { ratios, samples, subject, baseline }: Comparison, target?: number): void {
    const quartiles = [quantile(ratios, 0.25), quantile(ratios, 0.5), quantile(ratios, 0.75)] as const;
    const sides = [
      { name: subject.name, samples: samples.subject },
      { name: baseline.name, samples: samples.baseline },
    ];
    const rounds = ratios.length;
    this.results.push({
      kind: "ratio",
      title,
      unit,
      quartiles,
      rounds,
      sides,
      ...(target !== undefined && { target }),
    });
    const [lower, ratio, upper] = quartiles;
    const more = quantile(samples.subject, 0.5) - quantile(samples.baseline, 0.5);
    const spread = `quartiles ${lower.toFixed(2)}–${upper.toFixed(2)} of ${rounds} rounds`;
    this.#print(title);
    this.#print(
      `  ratio ${ratio.toFixed(2)} (${spread}), ${more.toFixed(2)} ${unit} more${
        target === undefined ? "" : told({ title, value: ratio, target })
      }`,
    );
    for (const side of sides) this.#print(`  ${side.name.padEnd(NAME_WIDTH)} ${distribution(side.samples, unit)}`);
  }

  /** Figures that are compared with nothing, each with a limit at most. */
  figures(title: string, figures: readonly Figure[]): void {
    this.results.push({ kind: "figures", title, figures });
    this.#print(title);
    for (const [name, value, limit] of figures) {
      this.#print(`  ${name.padEnd(NAME_WIDTH)} ${value}${limit === undefined ? "" : told(limit)}`);
    }
  }

  text(title: string, text: string): void {
    this.results.push({ kind: "text", title, text });
    this.#print(title);
    for (const line of text.split("\n")) this.#print(`  ${line}`);
  }

  /** Prints the verdict on each target. */
  printTargets(): void {
    this.#print("targets");
    for (const limit of limitsOf(this.results)) {
      const { title, value, target } = limit;
      const shown = String(Number(value.toFixed(2))).padStart(6);
      this.#print(`  ${verdict(limit).padEnd(6)}  ${shown} of at most ${String(target).padEnd(4)}  ${title}`);
    }
  }
}

/** All that has a target, in order. */
export function limitsOf(results: readonly Result[]): Limit[] {
  return results.flatMap((result): Limit[] => {
    if (result.kind === "figures") return result.figures.flatMap(([, , limit]) => limit ?? []);
    if (result.kind === "text" || result.target === undefined) return [];
    return [{ title: result.title, value: result.quartiles[1], target: result.target }];
  });
}

export const verdict = ({ value, target }: Pick<Limit, "value" | "target">): "met" | "missed" =>
  value <= target ? "met" : "missed";

const told = (limit: Limit): string => `  target ≤ ${limit.target}: ${verdict(limit)}`;

/** Median and, where there are enough values, the 99th percentile. */
export function distribution(values: readonly number[], unit: string): string {
  const of = (q: number) => `p${q * 100} ${quantile(values, q).toFixed(2)} ${unit}`;
  const shown = values.length < FEWEST_FOR_P99 ? [of(0.5)] : [of(0.5), of(0.99)];
  return `${shown.join(", ")} (n = ${values.length})`;
}

const FEWEST_FOR_P99 = 100;
const NAME_WIDTH = 46;
