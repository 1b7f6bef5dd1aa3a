import { parseXml } from "@rgrove/parse-xml";
import { expect, test } from "vitest";
import { benchmarkDocument, suiteChart } from "#bench/document/document.ts";
import { compareSides } from "#bench/measure.ts";
import { Report } from "#bench/report.ts";

/** A suite with a result of each kind. The subject takes twice as long as its baseline. */
async function measured(lines: string[] = []) {
  const report = new Report((line) => lines.push(line));
  const side = (name: string, sample: number) => ({ name, round: async () => [sample] });
  const compared = await compareSides(side("the <subject>", 4), side("baseline", 2), { rounds: 3, budgetMs: 1_000 });
  report.comparison("twice as long", "ms", compared, 1.5);
  report.comparison("no target", "ms", compared);
  report.figures("figures", [
    ["a size", "3 MB", { title: "size of it", value: 3, target: 4 }],
    ["a name", "a | b"],
  ]);
  report.text("a plan", "Index Scan");
  report.printTargets();
  return { name: "suite", results: report.results };
}

test("writes every ratio with quartiles and verdict, every figure and every text", async () => {
  const document = benchmarkDocument([["commit", "abc"]], [await measured()], { suite: "A note." });
  expect(document).toContain("| commit | abc |");
  expect(document).toContain("Targets: 1 of 2 met. Missed:\n\n- twice as long: 2 of at most 1.5\n");
  expect(document).toContain("## suite\n\nA note.\n\n![Chart of the suite suite](benchmarks/suite.svg)\n");
  expect(document).toContain(
    "| twice as long | 2.00 | 2.00–2.00 | 3 | the <subject>: 4.00 ms | baseline: 2.00 ms | ≤ 1.5 | missed |",
  );
  expect(document).toContain("| no target | 2.00 | 2.00–2.00 | 3 | the <subject>: 4.00 ms | baseline: 2.00 ms |  |  |");
  expect(document).toContain("| a size | 3 MB | ≤ 4 | met |\n| a name | a \\| b |  |  |");
  expect(document).toContain("### a plan\n\n```\nIndex Scan\n```");
});

test("prints the same results during the run", async () => {
  const lines: string[] = [];
  await measured(lines);
  expect(lines).toContain("  ratio 2.00 (quartiles 2.00–2.00 of 3 rounds), 2.00 ms more  target ≤ 1.5: missed");
  expect(lines.filter((line) => /^ {2}(met|missed) /.test(line))).toHaveLength(2);
});

test("draws a well-formed chart with a bar for each ratio and each value with a target", async () => {
  const svg = suiteChart(await measured());
  expect(() => parseXml(svg)).not.toThrow();
  // The first is the background.
  expect(svg.match(/<rect /g)).toHaveLength(1 + 3);
});

test("refuses a comparison with too few rounds, unless it was configured so", async () => {
  const side = { name: "slow", round: () => new Promise<number[]>((resolve) => setTimeout(resolve, 20, [1])) };
  await expect(compareSides(side, side, { rounds: 9, budgetMs: 1 })).rejects.toThrow(
    "slow: 1 rounds in 1 ms are too few.",
  );
  expect((await compareSides(side, side, { rounds: 1, budgetMs: 1 })).ratios).toEqual([1]);
});
