/** Each value that a reader of the how-to pages supplies is explained on the page that needs it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./testing/markdown.ts";
import type { Given } from "./testing/pages.ts";
import { unexplained } from "./testing/placeholders.ts";
import { lastPages, platformPages } from "./testing/platform-pages.ts";
import { tenantPages } from "./testing/tenant-pages.ts";

const read = (name: string) => readFileSync(join(ROOT, name), "utf8");

test.each([...platformPages, ...tenantPages, ...lastPages])("$name explains what to supply", ({ name, given = {} }) => {
  expect(unexplained(read(`docs/${name}`), given)).toEqual([]);
});

test.each(["Pulumi.prod.yaml", "Pulumi.dev.yaml"])("deploy.md explains what to replace in %s", (file) => {
  const settings = [...read(file).matchAll(/^\s*(?:tenantry:)?(\w+|-)(?::| ).*# yours$/gm)].map(([, name]) => name);
  // An item of a list: that of the setting above it.
  const named = settings.map((name) => (name === "-" ? "rootUsers" : name));
  expect(named.length).toBeGreaterThan(3);
  const rows = read("docs/how-to/deploy.md").match(/^ *\| .* \|$/gm) ?? [];
  expect(named.filter((name) => !rows.some((row) => row.split("|")[1]?.includes(`\`${name}\``)))).toEqual([]);
});

describe("finds", () => {
  const page = (text: string) => `# Title\n\n${text}\n\n\`\`\`sh\ncurl "$DASHBOARD/client/CLIENT_ID"\n\`\`\`\n`;
  const says = "`CLIENT_ID` is the client's id.";
  test.each<[string, string, Record<string, Given>, string[]]>([
    ["nothing in a page that explains", says, { CLIENT_ID: { says } }, []],
    ["a value that is not declared", says, {}, ["CLIENT_ID: not declared"]],
    [
      "a value without an explanation",
      says,
      { CLIENT_ID: { is: () => "1", because: "of the test" } },
      ["CLIENT_ID: declared without an explanation"],
    ],
    ["a missing sentence", "See the list.", { CLIENT_ID: { says } }, [`CLIENT_ID: the page does not say "${says}"`]],
    [
      "a sentence about something else",
      "See the list.",
      { CLIENT_ID: { says: "See the list." } },
      ['CLIENT_ID: "See the list." does not name it'],
    ],
    [
      "an outdated declaration",
      says,
      { CLIENT_ID: { says }, JOB_ID: { says } },
      ["JOB_ID: no command has it", `JOB_ID: "${says}" does not name it`],
    ],
  ])("%s", (_, text, given, faults) => expect(unexplained(page(text), given)).toEqual(faults));
});
