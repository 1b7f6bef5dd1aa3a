/** A report as a comment on a pull request. */
import type { FleetReport } from "../outcome/report.ts";
import { type Table, tableOf } from "./rows.ts";
import { headline, moneyText, monthlyTotal } from "./wording.ts";

const TITLES = { preview: "Tenants after this change", up: "Tenants brought up", drift: "Tenants changed by hand" };
/** Characters of one fault: a comment may have 65,536 in all. */
const MOST_FAULT = 4_000;

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
    ...(total === "" ? [] : [`Flat fees: **${total}** a month.`, ""]),
    ...(notes.length === 0 ? [] : [...notes, ""]),
    ...faults,
  ].join("\n");
}

/** Lines of a table, with an empty one after it; none of a table without rows. */
export function markdownTable({ head, rows }: Table): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return rows.length === 0 ? [] : [line(head), line(head.map(() => "---")), ...rows.map(line), ""];
}

const cell = (text: string) => (text === "---" ? text : escaped(text));

/** Names of settings are people's: nothing of them is markup. */
export const escaped = (text: string) => text.replaceAll(/[\\`*_{}[\]<>|~@#]/g, "\\$&").replaceAll("\n", " ");

function fenced(text: string): string[] {
  const short = text.length > MOST_FAULT ? `${text.slice(0, MOST_FAULT)}…` : text;
  const fence = "`".repeat(Math.max(3, ...[...short.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  return [`${fence}text`, short, fence];
}
