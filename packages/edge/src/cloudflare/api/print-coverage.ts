/** Prints the coverage tables as Markdown: `node packages/edge/src/cloudflare/api/print-coverage.ts`. */
import { lenienciesTable, limitsTable, operationsTable, partsTable, standInsTable } from "./coverage-table.ts";

console.log([partsTable(), operationsTable(), standInsTable(), lenienciesTable(), limitsTable()].join("\n\n"));
