import type { FleetReport, StackReport } from "../outcome/report.ts";
import { containerText, countsText, fateText, gatewayText, moneyText, planText } from "./wording.ts";

export interface Table {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The platform column, if any stack's file names several platforms. */
function platformColumn({ stacks }: FleetReport): { head: string[]; cell: (report: StackReport) => string[] } {
  if (stacks.every(({ platform }) => platform === null)) return { head: [], cell: () => [] };
  return { head: ["platform"], cell: ({ platform }) => [platform ?? ""] };
}

export function tenantTable(report: FleetReport): Table {
  const { head, cell } = platformColumn(report);
  return {
    head: ["tenant", "stack", ...head, "change", "resources", "plan", "AI gateway", "container", "per month"],
    rows: report.stacks.flatMap((stack) => [
      ...stack.tenants
        .filter(({ fate }) => fate !== "unchanged")
        .map((tenant) => [
          tenant.slug,
          stack.stack,
          ...cell(stack),
          fateText(tenant.fate),
          countsText(tenant.resources),
          planText(tenant),
          gatewayText(tenant),
          containerText(tenant),
          moneyText(tenant.monthlyDifference),
        ]),
      ...sharedRow(stack, cell(stack)),
    ]),
  };
}

function sharedRow({ others, stack }: StackReport, platform: readonly string[]): string[][] {
  const found = Object.entries(others).filter(([, count]) => count > 0);
  const what = found.length === 1 ? fateText(found[0]?.[0] ?? "") : "changed";
  return found.length === 0 ? [] : [["(shared)", stack, ...platform, what, countsText(others), "", "", "", ""]];
}

export function driftTable(report: FleetReport): Table {
  const { head, cell } = platformColumn(report);
  return {
    head: ["tenant", "stack", ...head, "resource", "change", "properties"],
    rows: report.stacks.flatMap((stack) =>
      stack.drift.map(({ tenant, type, name, what, paths }) => [
        tenant ?? "(shared)",
        stack.stack,
        ...cell(stack),
        `${type} ${name}`,
        what === "gone" ? "deleted" : what,
        what === "gone" ? "" : paths.join(", "),
      ]),
    ),
  };
}

export const tableOf = (report: FleetReport): Table =>
  report.command === "drift" ? driftTable(report) : tenantTable(report);
