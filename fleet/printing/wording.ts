import type { Counts, FleetReport, StackReport, TenantOutcome } from "../outcome/report.ts";

const transitionText = (before: string | null, after: string | null) =>
  before === null || after === null || before === after ? (after ?? before ?? "") : `${before} → ${after}`;

/** Term of the tables for a `fate` or a key of `Counts`. */
export const fateText = (fate: string): string => (fate === "made" ? "created" : fate);

export const planText = ({ plan }: TenantOutcome): string => transitionText(plan.before, plan.after);

export function gatewayText({ aiGateway: { before, after, kind }, fate }: TenantOutcome): string {
  if (fate === "made" && after === null) return "chosen by the run";
  const text = transitionText(before, after);
  return kind === null || text === "" ? text : `${text} (${kind})`;
}

export function containerText({ containerEnds, backedUpFirst, fate }: TenantOutcome): string {
  if (!containerEnds) return "";
  const what = fate === "removed" ? "ends" : "restarts";
  return backedUpFirst ? `${what}, backed up first` : `${what} without a backup`;
}

/** `+3 ~2 ±1 -4`, without zeros. */
export function countsText(counts: Counts | null): string {
  if (counts === null) return "?";
  const { made, changed, replaced, removed } = counts;
  const parts = [
    [made, "+"],
    [changed, "~"],
    [replaced, "±"],
    [removed, "-"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, sign]) => `${sign}${count}`)
    .join(" ");
}

/** Dollars with a sign; empty for 0. */
export function moneyText(micros: number): string {
  if (micros === 0) return "";
  return `${micros > 0 ? "+" : "-"}$${(Math.abs(micros) / 1_000_000).toFixed(2)}`;
}

export function reportHeadline({ command, stacks }: FleetReport): string {
  const failed = stacks.filter(({ fault }) => fault !== null).length;
  const counted =
    command === "drift"
      ? [[stacks.filter(({ drift }) => drift.length > 0).length, "with drift"] as const]
      : (["made", "changed", "replaced", "removed", "unchanged"] as const).map(
          (fate) => [tenantsOf(stacks).filter((tenant) => tenant.fate === fate).length, fateText(fate)] as const,
        );
  const what = command === "drift" ? pluralize(stacks.length, "stack") : pluralize(tenantsOf(stacks).length, "tenant");
  const parts = counted.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  if (command === "drift" && parts.length === 0 && failed < stacks.length) parts.push("no drift");
  if (failed > 0) parts.push(`${pluralize(failed, "stack")} failed`);
  return [what, ...parts].join(", ");
}

export function monthlyTotal(stacks: readonly StackReport[]): number {
  return tenantsOf(stacks).reduce((sum, { monthlyDifference }) => sum + monthlyDifference, 0);
}

const tenantsOf = (stacks: readonly StackReport[]) => stacks.flatMap(({ tenants }) => tenants);

export const pluralize = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
