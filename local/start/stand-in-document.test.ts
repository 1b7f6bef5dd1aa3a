import { join } from "node:path";
import { leniencies } from "@tenantry/std/difference";
import { expect, test } from "vitest";
import { allStandIns, standInDocument } from "./stand-in-document.ts";

const DOCUMENT = join(import.meta.dirname, "../../docs/reference/stand-ins.md");

/** The list can only shrink: lower this number when you remove a leniency. */
const MOST_LENIENCIES = 18;

test("docs/reference/stand-ins.md lists the leniencies of all stand-ins; `-u` writes it", async () => {
  await expect(standInDocument()).toMatchFileSnapshot(DOCUMENT);
});

test("the number of leniencies does not grow", () => {
  expect(leniencies(allStandIns).length).toBeLessThanOrEqual(MOST_LENIENCIES);
});

test("each leniency has a reason", () => {
  for (const { because } of leniencies(allStandIns)) expect(because).toMatch(/^[A-Z].+\.$/);
});
