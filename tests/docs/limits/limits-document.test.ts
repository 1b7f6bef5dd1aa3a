import { join } from "node:path";
import { AREAS, LIMITS } from "@tenantry/cloudflare-limits/limits";
import { expect, test } from "vitest";
import { limitsDocument } from "./limits-document.ts";

const DOCUMENT = join(import.meta.dirname, "../../../docs/reference/cloudflare-limits.md");

test("docs/reference/cloudflare-limits.md lists every limit; `-u` writes it", async () => {
  await expect(limitsDocument()).toMatchFileSnapshot(DOCUMENT);
});

test("each limit belongs to one area", () => {
  const names = Object.values(AREAS).flatMap((limits) => Object.keys(limits));
  expect(names.toSorted()).toEqual(Object.keys(LIMITS).toSorted());
});
