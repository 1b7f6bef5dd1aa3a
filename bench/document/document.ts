/** Generates `docs/reference/benchmarks.md` from the results of a run. */
import type { MeasuredSuite } from "../every-suite.ts";
import { quantileOf } from "../measure.ts";
import { type Figure, limitsOf, type RatioResult, verdictOn } from "../report.ts";
import { type Bar, drawChart } from "./chart.ts";

export type Circumstances = readonly (readonly [name: string, value: string])[];

export function benchmarkDocument(
  circumstances: Circumstances,
  suites: readonly MeasuredSuite[],
  notes: Readonly<Record<string, string>>,
): string {
  const all = suites.flatMap(({ results }) => limitsOf(results));
  const missed = all.filter((limit) => verdictOn(limit) === "missed");
  const lines = [
    "# Benchmarks",
    "",
    "Written by `npm run bench -- all`; do not edit. A ratio compares a subject with its baseline, which alternate in the same run: it",
    "is the median of the rounds' ratios, with their quartiles. A target is the maximum of a ratio or value.",
    "",
    ...markdownTable(["", ""], circumstances),
    "",
    `Targets: ${all.length - missed.length} of ${all.length} met.${missed.length === 0 ? "" : " Missed:"}`,
    ...(missed.length === 0
      ? []
      : [
          "",
          ...missed.map(
            ({ title, value, target }) => `- ${title}: ${shortNumber(value)} of at most ${shortNumber(target)}`,
          ),
        ]),
    ...suites.flatMap((suite) => suiteSection(suite, notes[suite.name])),
  ];
  return `${lines.join("\n")}\n`;
}

function suiteSection({ name, results }: MeasuredSuite, note: string | undefined): string[] {
  const ratios = results.filter((result) => result.kind === "ratio");
  return [
    "",
    `## ${name}`,
    ...(note === undefined ? [] : ["", note]),
    "",
    `![Chart of the suite ${name}](benchmarks/${name}.svg)`,
    ...(ratios.length === 0 ? [] : ["", ...markdownTable(RATIO_COLUMNS, ratios.map(ratioRow))]),
    ...results.flatMap((result) => {
      if (result.kind === "ratio") return [];
      if (result.kind === "text") return ["", `### ${result.title}`, "", "```", result.text, "```"];
      return ["", `### ${result.title}`, "", ...figureTable(result.figures)];
    }),
  ];
}

const RATIO_COLUMNS = ["compared", "ratio", "quartiles", "rounds", "subject", "baseline", "target", ""];

function ratioRow({ title, unit, quartiles, rounds, sides, target }: RatioResult): string[] {
  const [lower, ratio, upper] = quartiles;
  const medians = sides.map(({ name, samples }) => `${name}: ${quantileOf(samples, 0.5).toFixed(2)} ${unit}`);
  const judged = target === undefined ? ["", ""] : [`≤ ${shortNumber(target)}`, verdictOn({ value: ratio, target })];
  return [title, ratio.toFixed(2), `${lower.toFixed(2)}–${upper.toFixed(2)}`, String(rounds), ...medians, ...judged];
}

function figureTable(figures: readonly Figure[]): string[] {
  const judged = figures.some(([, , limit]) => limit !== undefined);
  const rows = figures.map(([name, value, limit]) => [
    name,
    value,
    ...(judged ? (limit === undefined ? ["", ""] : [`≤ ${shortNumber(limit.target)}`, verdictOn(limit)]) : []),
  ]);
  return markdownTable(judged ? ["figure", "value", "target", ""] : ["figure", "value"], rows);
}

/** Draws each ratio, and each value with a target as a share of it. */
export function suiteChart({ name, results }: MeasuredSuite): string {
  const bars = results.flatMap((result): Bar[] => {
    if (result.kind === "text") return [];
    if (result.kind === "figures") {
      // A target of 0 has no share.
      return limitsOf([result])
        .filter(({ target }) => target > 0)
        .map(({ title, value, target }) => ({ label: `${title}, share of target`, value: value / target, target: 1 }));
    }
    const [lower, ratio, upper] = result.quartiles;
    const { title: label, target } = result;
    return [{ label, value: ratio, quartiles: [lower, upper], ...(target !== undefined && { target }) }];
  });
  return drawChart(`${name}: ratios, logarithmic`, bars);
}

const shortNumber = (value: number): string => String(Number(value.toFixed(2)));

function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)];
}
