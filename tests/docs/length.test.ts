/** Documents stay short. Words are separated by white space; code counts. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { documents, ROOT } from "./testing/markdown.ts";

/** Documents that a program writes. */
const GENERATED = [
  "benchmarks",
  "cloudflare-limits",
  "conformance",
  "contract",
  "errors",
  "inbox-states",
  "instance-states",
  "replacements",
  "settings",
  "stand-ins",
  "threats",
];

const read = (name: string): string => readFileSync(join(ROOT, name), "utf8");
const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;
const wordsOf = (name: string): number => wordsIn(read(name));
const isGenerated = (name: string) => GENERATED.some((path) => name.startsWith(`docs/reference/${path}`));

test.each([
  ...globSync("docs/how-to/*.md", { cwd: ROOT })
    .sort()
    .map((page) => [page, 400] as const),
  ["README.md", 900],
  ["docs/style.md", 600],
  ["docs/tutorial.md", 400],
] as const)("%s has at most %i words", (name, most) => expect(wordsOf(name)).toBeLessThanOrEqual(most));

test("the glossary has at most 40 terms", () => {
  const [, , ...terms] = read("docs/glossary.md")
    .split("\n")
    .filter((line) => line.startsWith("|"));
  expect(terms.length).toBeLessThanOrEqual(40);
});

test("each decision has at most 120 words", () => {
  const decisions = read("docs/decisions.md").split(/\n\n+/);
  expect(decisions.filter((paragraph) => paragraph.startsWith("**") && wordsIn(paragraph) > 120)).toEqual([]);
});

test("the documents have at most 22,600 words, without generated ones", () => {
  const written = documents().filter((name) => name.startsWith("docs/") && !isGenerated(name));
  expect(written.reduce((sum, name) => sum + wordsOf(name), 0)).toBeLessThanOrEqual(22_600);
});
