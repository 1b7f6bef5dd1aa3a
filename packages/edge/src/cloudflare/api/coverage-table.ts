/** The coverage table as Markdown, for the documentation. */
import { apiParts } from "../kinds.ts";

function code(text: string): string {
  return `\`${text}\``;
}

/** One summary line a part of the API, then every operation with the method of the SDK that calls it. */
export function coverageTable(): string {
  const summary = apiParts.map(
    ({ title, operations, differs }) => `| ${title} | ${Object.keys(operations).length} | ${differs ?? ""} |`,
  );
  const operations = apiParts.flatMap(({ title, operations: served }) =>
    Object.entries(served).map(
      ([route, method]) => `| ${title} | ${code(route)} | ${method === "-" ? "not in the SDK" : code(method)} |`,
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
