import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { coverageTable } from "./coverage-table.ts";

test("docs/coverage.md has the first table of `npm run coverage`", () => {
  const document = readFileSync(join(import.meta.dirname, "../../../docs/coverage.md"), "utf8");
  expect(document).toContain(coverageTable().split("\n\n")[0]?.trim());
});
