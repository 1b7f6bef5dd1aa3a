/** What a run will create and may cost, and the question before it. */
import { createInterface } from "node:readline/promises";
import type { Case } from "../case.ts";
import { skipReason } from "../run/run.ts";
import type { Target } from "../run/scope.ts";
import { UsageError } from "./arguments.ts";

const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

/** Returns the upper bound of what cases cost, in US dollars. */
export const costOf = (cases: readonly Case[]): number =>
  Math.round(cases.reduce((sum, { product }) => sum + (product.costUsd ?? 0), 0) * 100) / 100;

/** @throws UsageError when the cases may cost more than the budget */
export function checkBudget(cases: readonly Case[], budget: number): void {
  const cost = costOf(cases);
  if (cost <= budget) return;
  throw new UsageError(
    `The cases may cost ${dollars(cost)}, and --budget is ${dollars(budget)}. Raise it, or choose cases by --only.`,
  );
}

/** Returns lines: what is created by product, with the permissions and the cost. */
export function planLines(cases: readonly Case[], target: Target, prefix: string): string[] {
  const runnable = cases.filter((one) => skipReason(one, target) === undefined);
  const lines = [
    `Runs ${runnable.length} of ${cases.length} cases in the account. Everything is named ${prefix}-…, and deleted after its case.`,
  ];
  for (const [name, ofProduct] of Map.groupBy(runnable, ({ product }) => product.name)) {
    const created = new Set(ofProduct.flatMap(({ product }) => product.creates ?? []));
    const kinds = [...created].map((kind) => `${kind.replaceAll("_", " ")}s`);
    const permissions = new Set(ofProduct.map(({ product }) => product.permission));
    lines.push(`  ${name}: ${ofProduct.length} cases, up to ${dollars(costOf(ofProduct))}`);
    lines.push(`    creates ${kinds.join(", ") || "nothing"}`);
    lines.push(`    needs ${[...permissions].join("; ")}`);
    const requires = new Set(ofProduct.flatMap(({ product }) => product.requires ?? []));
    if (requires.size > 0) lines.push(`    the account needs ${[...requires].join("; ")}`);
  }
  return [...lines, `The run may cost ${dollars(costOf(runnable))}.`];
}

/** @throws UsageError when nobody can answer, or the answer is no */
export async function confirm(): Promise<void> {
  if (!process.stdin.isTTY) throw new UsageError("Nothing was created. Confirm with --yes.");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question("Create these resources? Enter yes: ");
  lines.close();
  if (answer.trim() !== "yes") throw new UsageError("Nothing was created.");
}
