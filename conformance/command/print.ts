/** Texts of a run: a line for each case, and a summary. */
import { type Outcome, type Status, statuses } from "../run/outcome.ts";

const LABELS: Readonly<Record<Status, string>> = {
  passed: "passed",
  contradicted: "contradicted",
  not_permitted: "not permitted",
  not_enabled: "not enabled",
  failed: "failed",
  skipped: "skipped",
};
const WIDTH = Math.max(...Object.values(LABELS).map(({ length }) => length));

export function progressLine({ id, status, durationMs }: Outcome, number: number, total: number): string {
  return `[${number}/${total}] ${LABELS[status].padEnd(WIDTH)}  ${id}  ${durationMs} ms`;
}

/** Returns a table of the cases that did not pass, the slowest propagation, and the number of cases by status. */
export function summary(outcomes: readonly Outcome[]): string {
  const others = outcomes.filter(({ status }) => status !== "passed");
  const longest = Math.max(0, ...others.map(({ id }) => id.length));
  const table = others.map(
    ({ id, status, message = "" }) => `${LABELS[status].padEnd(WIDTH)}  ${id.padEnd(longest)}  ${message}`,
  );
  const [slowest] = outcomes
    .flatMap(({ id, propagationMs }) => Object.entries(propagationMs).map(([what, ms]) => ({ id, what, ms })))
    .toSorted((a, b) => b.ms - a.ms);
  const counts = statuses
    .map((status) => [status, outcomes.filter((one) => one.status === status).length] as const)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${LABELS[status]}`);
  return [
    ...table,
    ...(slowest === undefined ? [] : [`Slowest propagation: ${slowest.what} after ${slowest.ms} ms (${slowest.id})`]),
    `${outcomes.length} cases: ${counts.join(", ") || "none"}`,
  ].join("\n");
}

/** Whether no case of a run could call the API. */
export const isAllDenied = (outcomes: readonly Outcome[]): boolean => {
  const tried = outcomes.filter(({ status }) => status !== "skipped");
  return tried.length > 0 && tried.every(({ status }) => status === "not_permitted");
};
