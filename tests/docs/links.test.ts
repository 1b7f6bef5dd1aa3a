/** Links and anchors of every document lead somewhere. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { documents, headings, ROOT } from "./testing/markdown.ts";

/** Targets of links and images, outside fenced code and inline code. */
const links = (text: string) =>
  [...text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);

/** Why a link leads nowhere; `undefined` for one that does not. */
function fault(document: string, target: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined;
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? document : join(dirname(document), path);
  if (!existsSync(file)) return `${target}: ${relative(ROOT, file)} does not exist`;
  if (anchor === undefined || statSync(file).isDirectory()) return undefined;
  return headings(readFileSync(file, "utf8")).includes(anchor) ? undefined : `${target}: no such heading`;
}

test.each(documents())("%s has no broken link", (name) => {
  const document = join(ROOT, name);
  const found = links(readFileSync(document, "utf8")).map((target) => fault(document, target));
  expect(found.filter((one) => one !== undefined)).toEqual([]);
});

describe("a broken link is found", () => {
  const document = join(ROOT, "README.md");
  test.each([
    ["nowhere.md", "nowhere.md: nowhere.md does not exist"],
    ["docs/README.md#nowhere", "docs/README.md#nowhere: no such heading"],
    ["#nowhere", "#nowhere: no such heading"],
  ])("%s", (target, expected) => expect(fault(document, target)).toBe(expected));

  test("but not one to a heading that exists", () => expect(fault(document, "#try-it")).toBeUndefined());
});

test("every page of docs/ is linked from the index", () => {
  const index = links(readFileSync(join(ROOT, "docs/README.md"), "utf8"));
  const pages = documents().filter((name) => name.startsWith("docs/") && name !== "docs/README.md");
  expect(pages.filter((page) => !index.includes(relative("docs", page)))).toEqual([]);
});
