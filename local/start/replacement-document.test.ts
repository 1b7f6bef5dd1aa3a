import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPLACEMENT_RISKS } from "#components/replacement-risks.ts";
import { DOCUMENT, replacementDocument } from "./replacement-document.ts";

const layout = readFileSync(join(import.meta.dirname, "../../tests/lifecycle/layout.txt"), "utf8")
  .trim()
  .split("\n");

test("docs/reference/replacements.md is what the providers declare; run npm run replacements after changing them", async () => {
  expect(readFileSync(DOCUMENT, "utf8")).toBe(await replacementDocument());
});

/** Not in the layout of a platform without rotated secrets. */
const OF_ROTATIONS = ["tenantry:index:EndedSessions"];

test("lists exactly the resource types that the stack deploys", () => {
  const types = layout
    .map((name) => name.split("::")[0]?.split("$").at(-1) ?? "")
    .filter((type) => !type.startsWith("pulumi:") && !type.startsWith("tenantry:components:"));
  expect(Object.keys(REPLACEMENT_RISKS).toSorted()).toEqual([...new Set([...types, ...OF_ROTATIONS])].toSorted());
});
