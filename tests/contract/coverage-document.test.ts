import { readFileSync } from "node:fs";
import { join } from "node:path";
import { coverageTable } from "@tenantry/edge/testing/api";
import { expect, test } from "vitest";

test("is what docs/local-edge.md says; paste the first table of npm run coverage after changing it", () => {
  const document = readFileSync(join(import.meta.dirname, "../../docs/local-edge.md"), "utf8");
  expect(document).toContain(coverageTable().split("\n\n")[0]?.trim());
});
