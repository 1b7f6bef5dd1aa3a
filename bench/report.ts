/** Records a suite's results and prints them. */
import * as z from "zod";
import { type Comparison, quantileOf } from "./measure.ts";

/** A value and its maximum. */
const limit = z.object({ title: z.string(), value: z.number(), target: z.number() });
export type Limit = z.infer<typeof limit>;

const ratioResult = z.object({
  kind: z.literal("ratio"),
  title: z.string(),
  unit: z.string(),
  /** Of the rounds' ratios. */
  quartiles: z.tuple([z.number(), z.number(), z.number()]),
  rounds: z.number(),
  /** Subject and baseline. */
  sides: z.array(z.object({ name: z.string(), samples: z.array(z.number()) })),
  /** Maximum ratio. */
  target: z.number().optional(),
});
export type RatioResult = z.infer<typeof ratioResult>;

const figure = z.union([z.tuple([z.string(), z.string()]), z.tuple([z.string(), z.string(), limit])]);
/** Name, value as text, and optional limit. */
export type Figure = z.infer<typeof figure>;

const figuresResult = z.object({ kind: z.literal("figures"), title: z.string(), figures: z.array(figure) });

/** Output of a program, such as a query plan. */
const textResult = z.object({ kind: z.literal("text"), title: z.string(), text: z.string() });

export const result = z.discriminatedUnion("kind", [ratioResult, figuresResult, textResult]);
export type Result = z.infer<typeof result>;

type Print = (line: string) => void;

export class Report {
  readonly results: Result[] = [];
  readonly #print: Print;

  constructor(print: Print) {
    this.#print = print;
  }

  /** @param unit of the samples @param target maximum ratio */
  comparison(title: string, unit: string, { ratios, samples, subject, baseline }: Comparison, target?: number): void {
    const quartiles: RatioResult["quartiles"] = [
      quantileOf(ratios, 0.25),
      quantileOf(ratios, 0.5),
      quantileOf(ratios, 0.75),
    ];
    const sides = [
      { name: subject.name, samples: samples.subject },
      { name: baseline.name, samples: samples.baseline },
    ];
    const rounds = ratios.length;
    this.results.push({ kind: "ratio", title, unit, quartiles, rounds, sides, target });
    const [lower, ratio, upper] = quartiles;
    const difference = quantileOf(samples.subject, 0.5) - quantileOf(samples.baseline, 0.5);
    const spread = `quartiles ${lower.toFixed(2)}–${upper.toFixed(2)} of ${rounds} rounds`;
    this.#print(title);
    const judged = target === undefined ? "" : describeLimit({ title, value: ratio, target });
    this.#print(`  ratio ${ratio.toFixed(2)} (${spread}), ${difference.toFixed(2)} ${unit} more${judged}`);
    for (const side of sides) this.#print(`  ${side.name.padEnd(NAME_WIDTH)} ${distributionText(side.samples, unit)}`);
  }

  /** Records values without a comparison. */
  figures(title: string, figures: Figure[]): void {
    this.results.push({ kind: "figures", title, figures });
    this.#print(title);
    for (const [name, value, limit] of figures) {
      this.#print(`  ${name.padEnd(NAME_WIDTH)} ${value}${limit === undefined ? "" : describeLimit(limit)}`);
    }
  }

  text(title: string, text: string): void {
    this.results.push({ kind: "text", title, text });
    this.#print(title);
    for (const line of text.split("\n")) this.#print(`  ${line}`);
  }

  printTargets(): void {
    this.#print("targets");
    for (const limit of limitsOf(this.results)) {
      const { title, value, target } = limit;
      const shown = String(Number(value.toFixed(2))).padStart(6);
      this.#print(`  ${verdictOn(limit).padEnd(6)}  ${shown} of at most ${String(target).padEnd(4)}  ${title}`);
    }
  }
}

/** Returns all results with a target. */
export function limitsOf(results: readonly Result[]): Limit[] {
  return results.flatMap((result): Limit[] => {
    if (result.kind === "figures") return result.figures.flatMap(([, , limit]) => limit ?? []);
    if (result.kind === "text" || result.target === undefined) return [];
    return [{ title: result.title, value: result.quartiles[1], target: result.target }];
  });
}

export const verdictOn = ({ value, target }: Pick<Limit, "value" | "target">): "met" | "missed" =>
  value <= target ? "met" : "missed";

const describeLimit = (limit: Limit): string => `  target ≤ ${limit.target}: ${verdictOn(limit)}`;

export const secondsText = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Median and, with enough values, the 99th percentile. */
export function distributionText(values: readonly number[], unit: string): string {
  const of = (q: number) => `p${q * 100} ${quantileOf(values, q).toFixed(2)} ${unit}`;
  const shown = values.length < MIN_FOR_P99 ? [of(0.5)] : [of(0.5), of(0.99)];
  return `${shown.join(", ")} (n = ${values.length})`;
}

const MIN_FOR_P99 = 100;
const NAME_WIDTH = 46;
