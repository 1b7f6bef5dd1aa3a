/** Prints the coverage table as Markdown: `node packages/edge/src/cloudflare/api/print-coverage.ts`. */
import { coverageTable, limitsTable } from "./coverage-table.ts";

console.log(`${coverageTable()}\n\n${limitsTable()}`);
