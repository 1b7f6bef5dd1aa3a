/** A report as rows of a table, the same for a terminal and for Markdown. */
import type { FleetReport, StackReport } from "../outcome/report.ts";
import { containerText, countsText, gatewayText, moneyText, planText } from "./wording.ts";

export interface Table {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The column of platforms, where any stack's file names several. */
function platformsOf({ stacks }: FleetReport): { head: string[]; cell: (report: StackReport) => string[] } {
  if (stacks.every(({ platform }) => platform === null)) return { head: [], cell: () => [] };
  return { head: ["platform"], cell: ({ platform }) => [platform ?? ""] };
}

export function tenantTable(report: FleetReport): Table {
  const { head, cell } = platformsOf(report);
  return {
    head: ["tenant", "stack", ...head, "what", "resources", "plan", "AI gateway", "container", "a month"],
    rows: report.stacks.flatMap((stack) => [
      ...stack.tenants
        .filter(({ fate }) => fate !== "unchanged")
        .map((tenant) => [
          tenant.slug,
          stack.stack,
          ...cell(stack),
          tenant.fate,
          countsText(tenant.resources),
          planText(tenant),
          gatewayText(tenant),
          containerText(tenant),
          moneyText(tenant.monthlyDifference),
        ]),
      ...othersRow(stack, cell(stack)),
    ]),
  };
}

function othersRow({ others, stack }: StackReport, platform: readonly string[]): string[][] {
  const found = Object.entries(others).filter(([, count]) => count > 0);
  // One word where it is but one.
  const what = found.length === 1 ? (found[0]?.[0] ?? "") : "changed";
  return found.length === 0 ? [] : [["(shared)", stack, ...platform, what, countsText(others), "", "", "", ""]];
}

export function driftTable(report: FleetReport): Table {
  const { head, cell } = platformsOf(report);
  return {
    head: ["tenant", "stack", ...head, "resource", "what", "where"],
    rows: report.stacks.flatMap((stack) =>
      stack.drift.map(({ tenant, type, name, what, paths }) => [
        tenant ?? "(shared)",
        stack.stack,
        ...cell(stack),
        `${type} ${name}`,
        what,
        what === "gone" ? "" : paths.join(", "),
      ]),
    ),
  };
}

export const tableOf = (report: FleetReport): Table =>
  report.command === "drift" ? driftTable(report) : tenantTable(report);
