/** The coverage table as Markdown, for the documentation. */
import { coverage } from "./coverage.ts";

interface Row {
  title: string;
  operations: Readonly<Record<string, string>>;
  differs?: string;
}

function code(text: string): string {
  return `\`${text}\``;
}

/** One summary line a kind, then every operation with the method of the SDK that calls it. */
export function coverageTable(): string {
  const rows: Row[] = Object.values(coverage);
  const summary = rows.map(
    ({ title, operations, differs }) => `| ${title} | ${Object.keys(operations).length} | ${differs ?? ""} |`,
  );
  const operations = rows.flatMap(({ title, operations: served }) =>
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
