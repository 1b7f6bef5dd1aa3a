/** Words and phrases that `docs/style.md` replaces. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./testing/markdown.ts";

/** Each phrase, and what to write instead. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bcannot be (?:had|that)\b|\bto be had\b/i, "is not available, is invalid"],
  [/\b(?:comes?|came) to nothing\b/i, "fails, has no effect"],
  [/\bfor ever\b/i, "permanently, without end"],
  [/\bgo(?:es|ing)? on (?:at|by|from|where|with)\b/i, "continues"],
  [/\bha(?:ve|s|d) (?:it|them) back\b/i, "restore"],
  [/\b(?:is|are|was|were) not there\b/i, "is missing, does not exist"],
  [/\bin vain\b/i, "without success"],
  [/\blast heard of\b/i, "last seen"],
  [/\bnobody is like\b/i, "no matches"],
  [/\b(?:roll|log|hand)-(?:out|in|over)s?\b(?! of the)/i, "rollout, login, handover"],
  [/\bruns now\b/i, "running"],
  [/\bt(?:ake|akes|aken|ook) (?:(?:it|them|the \w+) )?back\b/i, "undo, roll back, restore"],
  [/\btells? (?:nothing|of)\b/i, "reports"],
  [/\bwhat is another's\b/i, "what belongs to another user"],
  [/\bwhat (?:goes|stays)\b/i, "name what is deleted or kept"],
  [/\byou may not\b/i, "permission denied; this requires the role …"],
];

/** Words, also as a part of a name in camel case. */
const WORDS: Readonly<Record<string, string>> = {
  anew: "again",
  told: "reported",
  news: "events",
  look: "probe, check",
  looks: "probes, checks",
  looked: "checked",
  whoever: "the caller",
};

/** `getNews` and `setNews` are of Pulumi's protocol, and people search for `look`. */
const STANDARD = /\blook(?:s|ed|ing)? (?:like|up)\b|\blookUp|\btheme look\b|\bLOOKS_UP\b|\b[gs]etNews\b/gi;

const anyOf = (words: readonly string[]) => words.join("|");
const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const WORD = new RegExp(
  `(?:(?<![A-Za-z])(?:${anyOf(Object.keys(WORDS).flatMap((word) => [word, capitalised(word)]))})` +
    `|(?<=[a-z])(?:${anyOf(Object.keys(WORDS).map(capitalised))}))(?![a-z])`,
);

/** Text of the past, and texts that this check quotes. */
const EXCEPT =
  /^(?:CHANGELOG|docs\/style)\.md$|^database\/(?:migrations\/|schema\.sql$)|^tests\/(?:docs\/phrases|upgrade\/fixtures)/;

const faultsOf = (text: string): string[] =>
  text.split("\n").flatMap((line, index) => {
    const word = WORD.exec(line.replaceAll(STANDARD, ""))?.[0];
    const phrases = PHRASES.map(([phrase, instead]) => [phrase.exec(line)?.[0], instead] as const);
    return [[word, WORDS[word?.toLowerCase() ?? ""]] as const, ...phrases].flatMap(([found, instead]) =>
      found === undefined ? [] : [`${index + 1}: "${found}"; write: ${instead}`],
    );
  });

test("no document, comment, name, message or title has a word or phrase of the lists", () => {
  const files = execFileSync("git", ["ls-files", "*.md", "*.mjs", "*.sql", "*.ts", "*.tsx", "*.yaml"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  const faults = files
    .split("\n")
    .filter((file) => file !== "" && !EXCEPT.test(file))
    .flatMap((file) => faultsOf(readFileSync(join(ROOT, file), "utf8")).map((fault) => `${file}:${fault}`));
  expect(faults).toEqual([]);
});

test("names the line, what it found and the replacement", () => {
  expect(faultsOf("function newsOfTenants() { return lastLook; } // It looks like a lookup in /live/news.")).toEqual([
    '1: "news"; write: events',
  ]);
  expect(faultsOf("const lastLook = 1;")).toEqual(['1: "Look"; write: probe, check']);
  expect(faultsOf("// What it looks like, and overlooked, newspaper, LOOKS_UP.")).toEqual([]);
  expect(faultsOf('First line.\n// The file cannot be had.\nconst back = "Take it back";')).toEqual([
    '2: "cannot be had"; write: is not available, is invalid',
    '3: "Take it back"; write: undo, roll back, restore',
  ]);
});
