/** Phrases that `docs/style.md` replaces. `npm run language` checks single words. */
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

/** Text of the past, and texts that this check quotes. */
const EXCEPT =
  /^(?:CHANGELOG|docs\/style)\.md$|^database\/(?:migrations\/|schema\.sql$)|^tests\/(?:docs\/phrases|upgrade\/fixtures)/;

const faultsOf = (text: string): string[] =>
  text.split("\n").flatMap((line, index) =>
    PHRASES.flatMap(([phrase, instead]) => {
      const found = phrase.exec(line)?.[0];
      return found === undefined ? [] : [`${index + 1}: "${found}"; write: ${instead}`];
    }),
  );

test("no document, comment, message or title has a phrase of the list", () => {
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

test("names the line, the phrase and its replacement", () => {
  expect(faultsOf('First line.\n// The file cannot be had.\nconst back = "Take it back";')).toEqual([
    '2: "cannot be had"; write: is not available, is invalid',
    '3: "Take it back"; write: undo, roll back, restore',
  ]);
});
