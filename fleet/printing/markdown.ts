import type { FleetReport } from "../outcome/report.ts";
import { type Table, tableOf } from "./rows.ts";
import { headline, moneyText, monthlyTotal } from "./wording.ts";

const TITLES = { preview: "Tenants after this change", up: "Deployed tenants", drift: "Drift of tenants" };
/** In characters: a comment may have 65,536 in all. */
const MAX_FAULT_LENGTH = 4_000;

export function asMarkdown(report: FleetReport): string {
  const { head, rows } = tableOf(report);
  const total = moneyText(monthlyTotal(report.stacks));
  const notes = report.stacks.flatMap(({ stack, notes: own }) => own.map((note) => `- \`${stack}\`: ${escaped(note)}`));
  const faults = report.stacks.flatMap(({ stack, fault }) =>
    fault === null ? [] : [`**\`${stack}\` failed**`, "", ...fenced(fault), ""],
  );
  return [
    `### ${TITLES[report.command]}`,
    "",
    `${headline(report)}.`,
    "",
    ...markdownTable({ head, rows }),
    ...(total === "" ? [] : [`Flat fees: **${total}** per month.`, ""]),
    ...(notes.length === 0 ? [] : [...notes, ""]),
    ...faults,
  ].join("\n");
}

/** Returns the lines of a table and an empty line; none for a table without rows. */
export function markdownTable({ head, rows }: Table): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return rows.length === 0 ? [] : [line(head), line(head.map(() => "---")), ...rows.map(line), ""];
}

const cell = (text: string) => (text === "---" ? text : escaped(text));

/** Escapes names that customers chose, so that none is markup. */
export const escaped = (text: string) => text.replaceAll(/[\\`*_{}[\]<>|~@#]/g, "\\$&").replaceAll("\n", " ");

function fenced(text: string): string[] {
  const shortened = text.length > MAX_FAULT_LENGTH ? `${text.slice(0, MAX_FAULT_LENGTH)}…` : text;
  const fence = "`".repeat(Math.max(3, ...[...shortened.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return [`${fence}text`, shortened, fence];
}
