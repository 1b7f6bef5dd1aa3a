import type { FleetReport } from "../outcome/report.ts";
import { type Table, tableOf } from "./rows.ts";
import { moneyText, monthlyTotal, reportHeadline } from "./wording.ts";

const TITLES = { preview: "Tenants after this change", up: "Deployed tenants", drift: "Drift of tenants" };
/** In characters: a comment may have 65,536 in all. */
const MAX_FAULT_LENGTH = 4_000;

export function asMarkdown(report: FleetReport): string {
  const { head, rows } = tableOf(report);
  const total = moneyText(monthlyTotal(report.stacks));
  const notes = report.stacks.flatMap(({ stack, notes: own }) =>
    own.map((note) => `- \`${stack}\`: ${escapeMarkdown(note)}`),
  );
  const faults = report.stacks.flatMap(({ stack, fault }) =>
    fault === null ? [] : [`**\`${stack}\` failed**`, "", ...fenceText(fault), ""],
  );
  return [
    `### ${TITLES[report.command]}`,
    "",
    `${reportHeadline(report)}.`,
    "",
    ...markdownTable({ head, rows }),
    ...(total === "" ? [] : [`Flat fees: **${total}** per month.`, ""]),
    ...(notes.length === 0 ? [] : [...notes, ""]),
    ...faults,
  ].join("\n");
}

/** Returns the lines of a table and an empty line; none for a table without rows. */
export function markdownTable({ head, rows }: Table): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownCell).join(" | ")} |`;
  return rows.length === 0 ? [] : [line(head), line(head.map(() => "---")), ...rows.map(line), ""];
}

const markdownCell = (text: string) => (text === "---" ? text : escapeMarkdown(text));

/** Escapes names that customers chose, so that none is markup. */
export const escapeMarkdown = (text: string) => text.replaceAll(/[\\`*_{}[\]<>|~@#]/g, "\\$&").replaceAll("\n", " ");

function fenceText(text: string): string[] {
  const shortened = text.length > MAX_FAULT_LENGTH ? `${text.slice(0, MAX_FAULT_LENGTH)}…` : text;
  const fence = "`".repeat(Math.max(3, ...[...shortened.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return [`${fence}text`, shortened, fence];
}
