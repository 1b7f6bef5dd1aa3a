import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { coverageTable } from "./coverage-table.ts";

test("is what docs/local-edge.md says; paste the first table of npm run coverage after changing it", () => {
  const document = readFileSync(join(import.meta.dirname, "../../../docs/local-edge.md"), "utf8");
  expect(document).toContain(coverageTable().split("\n\n")[0]?.trim());
});
