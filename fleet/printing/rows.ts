/** A report as rows of a table, the same for a terminal and for Markdown. */
import type { FleetReport, StackReport } from "../outcome/report.ts";
import { containerText, countsText, gatewayText, moneyText, planText } from "./wording.ts";

export interface Table {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

export function tenantTable({ stacks }: FleetReport): Table {
  return {
    head: ["tenant", "stack", "what", "resources", "plan", "AI gateway", "container", "a month"],
    rows: stacks.flatMap((report) => [
      ...report.tenants
        .filter(({ fate }) => fate !== "unchanged")
        .map((tenant) => [
          tenant.slug,
          report.stack,
          tenant.fate,
          countsText(tenant.resources),
          planText(tenant),
          gatewayText(tenant),
          containerText(tenant),
          moneyText(tenant.monthlyDifference),
        ]),
      ...othersRow(report),
    ]),
  };
}

function othersRow({ others, stack }: StackReport): string[][] {
  const found = Object.entries(others).filter(([, count]) => count > 0);
  // One word where it is but one.
  const what = found.length === 1 ? (found[0]?.[0] ?? "") : "changed";
  return found.length === 0 ? [] : [["(shared)", stack, what, countsText(others), "", "", "", ""]];
}

export function driftTable({ stacks }: FleetReport): Table {
  return {
    head: ["tenant", "stack", "resource", "what", "where"],
    rows: stacks.flatMap(({ stack, drift }) =>
      drift.map(({ tenant, type, name, what, paths }) => [
        tenant ?? "(shared)",
        stack,
        `${type} ${name}`,
        what,
        what === "gone" ? "" : paths.join(", "),
      ]),
    ),
  };
}

export const tableOf = (report: FleetReport): Table =>
  report.command === "drift" ? driftTable(report) : tenantTable(report);
