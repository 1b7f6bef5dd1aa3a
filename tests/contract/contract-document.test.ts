import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { provenDocuments } from "./requirements.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Whether a file has a test of this title, which its function or options follow. */
function hasTest(file: string, title: string): boolean {
  const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const called = new RegExp(`(?<!describe)\\(\\s*"${escaped}",\\s*(?:async\\b|[({])`);
  return existsSync(join(ROOT, file)) && called.test(readFileSync(join(ROOT, file), "utf8"));
}

describe.each(provenDocuments)("$path", ({ path, sections, text }) => {
  const all = sections.flatMap(({ requirements }) => requirements);

  test("has a test for each statement, and each test exists", () => {
    const proofs = all.map(({ requirement, tests }) => ({ requirement, tests: Object.entries(tests) }));
    expect(proofs.filter(({ tests }) => tests.length === 0)).toEqual([]);
    const missing = proofs.flatMap(({ tests }) =>
      tests.flatMap(([file, titles]) => titles.filter((title) => !hasTest(file, title)).map((title) => [file, title])),
    );
    expect(missing).toEqual([]);
  });

  test("is up to date; `-u` writes it", async () => {
    await expect(text).toMatchFileSnapshot(join(ROOT, path));
  });
});
