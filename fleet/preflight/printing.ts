import { escapeMarkdown, markdownTable } from "../printing/markdown.ts";
import type { Table } from "../printing/rows.ts";
import { alignColumns } from "../printing/text.ts";
import { type CheckResult, countOf } from "./report.ts";

const STATES = ["fail", "warn", "skip", "pass"] as const;
const WORDS = { fail: "failed", warn: "warned", skip: "skipped", pass: "passed" } as const;
const WIDTH = 100;

interface Printed {
  stack: string;
  checks: readonly CheckResult[];
}

/** A table of the checks, then what to do about each that did not pass. */
export function checksAsText({ stack, checks }: Printed): string {
  const { head, rows } = tableOf(checks);
  const notes = checks.flatMap(({ state, title, found, remedy, reason }) =>
    state === "pass" ? [] : [`\n${state} ${title}: ${found}${remedy === null ? "" : ` ${remedy}`} (${reason})`],
  );
  return [headline({ stack, checks }), "", ...alignColumns([head, ...rows]), ...notes].join("\n");
}

export function checksAsMarkdown({ stack, checks }: Printed): string {
  const notes = checks.flatMap(({ state, title, found, remedy }) =>
    state === "pass" ? [] : [`- ${state} **${escapeMarkdown(title)}**: ${escapeMarkdown(`${found} ${remedy ?? ""}`)}`],
  );
  return [`### ${escapeMarkdown(headline({ stack, checks }))}`, "", ...markdownTable(tableOf(checks)), ...notes].join(
    "\n",
  );
}

const tableOf = (checks: readonly CheckResult[]): Table => ({
  head: ["result", "check", "found"],
  rows: checks.map(({ state, title, found }) => [state, title, shortened(found)]),
});

const shortened = (text: string) => {
  const line = text.replaceAll("\n", " ");
  return line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line;
};

function headline({ stack, checks }: Printed): string {
  const counts = STATES.map((state) => [countOf(checks, state), WORDS[state]] as const);
  return [
    `${stack}: ${checks.length} checks`,
    ...counts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])),
  ].join(", ");
}
