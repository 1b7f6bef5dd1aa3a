import fc from "fast-check";
import { expect, test } from "vitest";
import { lineDiff, nearChanges } from "./line-diff.ts";

const SIGNS = { same: " ", removed: "-", added: "+" } as const;
const shown = (before: string, after: string) => lineDiff(before, after).map(({ kind, text }) => SIGNS[kind] + text);

test("shows removed lines before added ones, and common lines once", () => {
  expect(shown("a\nb\nc\n", "a\nx\nc\nd\n")).toEqual([" a", "-b", "+x", " c", "+d"]);
  expect(shown("", "a\n")).toEqual(["+a"]);
  expect(shown("a\n\n", "")).toEqual(["-a", "-"]);
  expect(shown("a\nb\na\nb", "b\na\nb\na")).toEqual(["-a", " b", " a", " b", "+a"]);
});

test("leads from the first text to the second", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before.join("\n"), after.join("\n"));
      const without = (kind: string) => lines.flatMap((line) => (line.kind === kind ? [] : [line.text]));
      expect([without("added"), without("removed")]).toEqual([before, after]);
    }),
  );
});

test("leaves out what is far from a change", () => {
  const before = Array.from({ length: 20 }, (_, index) => String(index));
  const lines = nearChanges(lineDiff(before.join("\n"), before.with(10, "new").join("\n")), 1);
  expect(lines.map((line) => line?.text)).toEqual([undefined, "9", "10", "new", "11", undefined]);
});
