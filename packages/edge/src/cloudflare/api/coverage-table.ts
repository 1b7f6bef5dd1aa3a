import { type Difference, leniencies, type StandIn } from "@tenantry/std/difference";
import { notEnforced } from "../../limits/enforcement.ts";
import { otherStandIns, standIns } from "../../stand-ins.ts";
import { apiParts } from "../kinds.ts";

export { standIns };

const cell = (text: string): string => text.replaceAll("|", "\\|");
const table = (head: string, rows: readonly string[]): string =>
  [head, head.replace(/[^|]+/g, " --- "), ...rows].join("\n");

/** Returns differences for a cell of a table. Leniencies are bold; {@link lenienciesTable} has their reasons. */
const shown = (differs: readonly Difference[]): string =>
  cell(differs.map(({ is, does }) => (is === "missing" ? does : `**${is}**: ${does}`)).join(" "));

/** Returns the API's parts as Markdown. */
export function partsTable(): string {
  const rows = apiParts.map(
    ({ title, operations, differs = [] }) => `| ${title} | ${Object.keys(operations).length} | ${shown(differs)} |`,
  );
  return table("| Kind | Operations | What differs from Cloudflare |", rows);
}

/** Returns the operations with their methods of the SDK as Markdown. */
export function operationsTable(): string {
  const rows = apiParts.flatMap(({ title, operations: served }) =>
    Object.entries(served).map(
      ([route, method]) => `| ${title} | \`${route}\` | ${method === "-" ? "not in the SDK" : `\`${method}\``} |`,
    ),
  );
  return table("| Kind | Operation | Method of the `cloudflare` SDK |", rows);
}

/** Returns the differences of stand-ins outside of the API as Markdown. */
export function standInsTable(given: readonly StandIn[] = otherStandIns): string {
  const rows = given.map(({ title, differs }) => `| ${title} | ${shown(differs)} |`);
  return table("| Stand-in | What differs |", rows);
}

/** Returns all leniencies, with their number, as Markdown. */
export function lenienciesTable(given: readonly StandIn[] = standIns): string {
  const found = leniencies(given);
  const rows = found.map(
    ({ of, does, because, settledBy }) =>
      `| ${of} | ${cell(does)} | ${cell(because)} | ${settledBy === undefined ? "" : `\`${settledBy}\``} |`,
  );
  const settling = "Settled by";
  return `${found.length} leniencies:\n\n${table(`| Stand-in | What it does | Why it is left | ${settling} |`, rows)}`;
}

/** Returns the limits that the edge does not enforce as Markdown. */
export function limitsTable(): string {
  const rows = notEnforced().map(({ of, because }) => `| ${of} | ${because} |`);
  return table("| Limit of Cloudflare that is not enforced | Reason |", rows);
}
