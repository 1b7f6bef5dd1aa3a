import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { coverageTable, limitsTable } from "./coverage-table.ts";

const document = readFileSync(join(import.meta.dirname, "../../../docs/coverage.md"), "utf8");

test("docs/coverage.md has the first table of `npm run coverage`", () => {
  expect(document).toContain(coverageTable().split("\n\n")[0]?.trim());
});

test("docs/coverage.md has the limits that the edge does not enforce", () => {
  expect(document).toContain(limitsTable());
});
