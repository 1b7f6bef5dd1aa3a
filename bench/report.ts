/** The recorder of a suite's results: it prints each as it comes, and holds all of them as data. */
import * as z from "zod";
import { type Comparison, quantile } from "./measure.ts";

/** A value that must not exceed a target. */
const limit = z.object({ title: z.string(), value: z.number(), target: z.number() });
export type Limit = z.infer<typeof limit>;

const ratioResult = z.object({
  kind: z.literal("ratio"),
  title: z.string(),
  /** Of the samples. */
  unit: z.string(),
  /** Quartiles of the ratios of the rounds, the median in the middle. */
  quartiles: z.tuple([z.number(), z.number(), z.number()]),
  rounds: z.number(),
  /** The subject's, then the baseline's. */
  sides: z.array(z.object({ name: z.string(), samples: z.array(z.number()) })),
  /** The ratio that should not be exceeded, if there is one. */
  target: z.number().optional(),
});
export type RatioResult = z.infer<typeof ratioResult>;

const figure = z.union([z.tuple([z.string(), z.string()]), z.tuple([z.string(), z.string(), limit])]);
/** Its name, its value in words, and perhaps what it is judged by. */
export type Figure = z.infer<typeof figure>;

const figuresResult = z.object({ kind: z.literal("figures"), title: z.string(), figures: z.array(figure) });

/** Text as a program printed it, such as a query's plan. */
const textResult = z.object({ kind: z.literal("text"), title: z.string(), text: z.string() });

export const result = z.discriminatedUnion("kind", [ratioResult, figuresResult, textResult]);
export type Result = z.infer<typeof result>;

export type Print = (line: string) => void;

export class Report {
  readonly results: Result[] = [];
  readonly #print: Print;

  constructor(print: Print) {
    this.#print = print;
  }

  /** @param unit of the samples @param target the ratio that should not be exceeded, if there is one */
  comparison(title: string, unit: string, { ratios, samples, subject, baseline }: Comparison, target?: number): void {
    const quartiles: RatioResult["quartiles"] = [quantile(ratios, 0.25), quantile(ratios, 0.5), quantile(ratios, 0.75)];
    const sides = [
      { name: subject.name, samples: samples.subject },
      { name: baseline.name, samples: samples.baseline },
    ];
    const rounds = ratios.length;
    this.results.push({ kind: "ratio", title, unit, quartiles, rounds, sides, target });
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
  figures(title: string, figures: Figure[]): void {
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
