import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contractDocument, sections } from "./requirements.ts";

const ROOT = join(import.meta.dirname, "../..");

interface Row {
  name: string;
  heldBy: string;
  shownBy: string;
}

function readRows(): Row[] {
  return readFileSync(join(ROOT, "docs/contract.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter(([, name = ""]) => name !== "Row" && !name.startsWith("---"))
    .map(([, name = "", heldBy = "", shownBy = "", ...rest]) => {
      expect([name, rest]).toEqual([name, [""]]);
      return { name, heldBy, shownBy };
    });
}

const matches = (text: string, pattern: RegExp): string[][] =>
  [...text.matchAll(pattern)].map(([, ...groups]) => groups);

/** Whether the source has a test with this name, followed by its function or options. */
function hasTest(path: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const called = new RegExp(`(?<!describe)\\(\\s*"${escaped}",\\s*(?:async\\b|[({])`);
  return existsSync(join(ROOT, file)) && called.test(readFileSync(join(ROOT, file), "utf8"));
}

describe("the requirements of the contract", () => {
  const all = sections.flatMap(({ requirements }) => requirements);

  test("each has a test, and each test exists", () => {
    const proofs = all.map(({ requirement, tests }) => ({ requirement, tests: Object.entries(tests) }));
    expect(proofs.filter(({ tests }) => tests.length === 0)).toEqual([]);
    const missing = proofs.flatMap(({ tests }) =>
      tests.flatMap(([file, titles]) => titles.filter((title) => !hasTest(file, title)).map((title) => [file, title])),
    );
    expect(missing).toEqual([]);
  });

  test("names only tests that exist", () => {
    const tests = rows.flatMap(({ shownBy }) => matches(shownBy, TEST));
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter(([path = "", name = ""]) => !existsSync(join(ROOT, path)) || !hasTest(path, name))).toEqual([]);
  });

  test("names a test and an owner for each row, or says that there is none", () => {
    for (const { name, heldBy, shownBy } of rows) {
      const isOpen = /\*\*(?:Not yet|No test yet)\*\*/i.test(shownBy);
      expect([name, isOpen || matches(shownBy, TEST).length > 0]).toEqual([name, true]);
      expect([name, shownBy.startsWith("**Not yet**") || matches(heldBy, FILE).length > 0]).toEqual([name, true]);
    }
  });
});
