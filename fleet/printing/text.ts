import type { FleetReport } from "../outcome/report.ts";
import { tableOf } from "./rows.ts";
import { moneyText, monthlyTotal, reportHeadline } from "./wording.ts";

export function asText(report: FleetReport): string {
  const { head, rows } = tableOf(report);
  const total = moneyText(monthlyTotal(report.stacks));
  const lines = rows.length === 0 ? [] : ["", ...alignColumns([head, ...rows])];
  return [
    reportHeadline(report),
    ...lines,
    ...(total === "" ? [] : ["", `flat fees: ${total} per month`]),
    ...report.stacks.flatMap(({ stack, notes, fault }) => [
      ...notes.map((note) => `\n${stack}: ${note}`),
      ...(fault === null ? [] : [`\n${stack} failed: ${fault}`]),
    ]),
  ].join("\n");
}

export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
