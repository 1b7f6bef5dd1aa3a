import { notEnforced } from "../../limits/enforcement.ts";
import { apiParts } from "../kinds.ts";

/** Returns the coverage table as Markdown: a summary of each API part, then each operation with its method of the SDK. */
export function coverageTable(): string {
  const summary = apiParts.map(
    ({ title, operations, differs }) => `| ${title} | ${Object.keys(operations).length} | ${differs ?? ""} |`,
  );
  const operations = apiParts.flatMap(({ title, operations: served }) =>
    Object.entries(served).map(
      ([route, method]) => `| ${title} | \`${route}\` | ${method === "-" ? "not in the SDK" : `\`${method}\``} |`,
    ),
  );
  return [
    "| Kind | Operations | What differs from Cloudflare |",
    "| --- | --- | --- |",
    ...summary,
    "",
    "| Kind | Operation | Method of the `cloudflare` SDK |",
    "| --- | --- | --- |",
    ...operations,
  ].join("\n");
}

/** Returns the limits that the edge does not enforce as Markdown. */
export function limitsTable(): string {
  const rows = notEnforced().map(({ of, because }) => `| ${of} | ${because} |`);
  return ["| Limit of Cloudflare that is not enforced | Reason |", "| --- | --- |", ...rows].join("\n");
}
