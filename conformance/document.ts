/** Writes `docs/reference/conformance.md`: what is documented, emulated, and confirmed by accounts. */
import { assumptions } from "./assumptions.ts";
import { type Case, NOT_DOCUMENTED } from "./case.ts";
import { usedOperations } from "./operations.ts";
import type { ConformanceRecord } from "./run/record.ts";

const introduction = (cases: readonly Case[], records: readonly ConformanceRecord[]) => `# Conformance

The project relies on what Cloudflare's API answers. A case states one such fact and shows it, against the local edge or an account. ${cases.length} cases
cover all ${usedOperations().size} operations that the project calls. Accounts have confirmed ${confirmedCount(cases, records)} cases so far.

This document is generated. After a change of \`conformance/\`, \`npm test -- tests/conformance/document -u\` writes it.

## Run the cases

- \`npm run conformance -- --target edge\` starts an edge and runs all cases that an edge can show.
- \`npm run conformance -- --target account --prefix NAME --budget 5\` runs them against an account. It lists what it creates and what that may
  cost, and asks before it starts; \`--yes\` confirms.

Set these variables for an account. Use one without production data.

| variable | value |
| --- | --- |
| \`CLOUDFLARE_API_TOKEN\` | a token with the permissions below |
| \`CLOUDFLARE_ACCOUNT_ID\` | the account |
| \`CLOUDFLARE_ZONE_ID\` | a zone of the account, for cases of hosts. Default: they are skipped |
| \`CONFORMANCE_IMAGE\` | an image in the account's registry, for containers. Default: they are skipped |
| \`CONFORMANCE_DATABASE_URL\` | a PostgreSQL database that Cloudflare reaches, for Hyperdrive. Default: they are skipped |

Everything is named with the prefix and deleted after its case. Each name is written to a journal in \`.conformance/\` before the create. The next
start deletes what a killed run left; \`npm run conformance -- --target account --clean-up JOURNAL\` deletes it alone. One dataset of Analytics
Engine, \`tenantry_conformance\`, stays: Cloudflare cannot delete it.

A run against an account writes \`conformance/records/DATE.json\`, without ids, names, addresses and the token. Add it to the repository, and write
this document again.

| status | meaning | do |
| --- | --- | --- |
| passed | the API does what the project relies on | |
| contradicted | it does something else | change the stand-in that the message names, then the code that relies on it |
| not permitted | the token lacks a permission | grant the permission that the message names |
| not enabled | the account lacks a product | enable it |
| failed | the case could not finish | read the message, then run the case again |
| skipped | the case needs a variable, or the edge cannot show it | |

The command exits with 0 if all cases passed or were skipped, 1 if another case did not pass or something is left, 2 if it could not start, and 130 if it was
cancelled.
`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\n+/g, " ");
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

/** Returns the newest result of a case that ran, with its date. */
function newest(id: string, records: readonly ConformanceRecord[]) {
  for (const { date, cases } of records.toReversed()) {
    const found = cases[id];
    if (found?.status === "passed" || found?.status === "contradicted") return { ...found, date };
  }
  return undefined;
}

const confirmedCount = (cases: readonly Case[], records: readonly ConformanceRecord[]): number =>
  cases.filter(({ id }) => newest(id, records)?.status === "passed").length;

function confirmation({ id, product }: Case, records: readonly ConformanceRecord[]): string {
  const found = newest(id, records);
  if (found === undefined) return "no";
  if (found.status === "passed") return found.date;
  return `**contradicted** ${found.date}: ${found.message ?? ""} Change \`packages/edge/src/${product.standIn}\`.`;
}

function caseRow(one: Case, records: readonly ConformanceRecord[]): string[] {
  const { id, reliesOn, source, notEmulated } = one;
  return [
    `\`${id}\``,
    reliesOn,
    source === NOT_DOCUMENTED ? "no" : `[yes](${source})`,
    notEmulated === undefined ? "yes" : `no: ${notEmulated}`,
    confirmation(one, records),
  ];
}

function productSection(name: string, cases: readonly Case[], records: readonly ConformanceRecord[]): string {
  const permissions = [...new Set(cases.map(({ product }) => product.permission))];
  const requires = [...new Set(cases.flatMap(({ product }) => product.requires ?? []))];
  const needs = `Permissions: ${permissions.join("; ")}.${requires.length > 0 ? ` The account needs ${requires.join("; ")}.` : ""}`;
  const rows = cases.map((one) => caseRow(one, records));
  return `### ${name}\n\n${needs}\n\n${table(["case", "relies on", "documented", "emulated", "confirmed"], rows)}\n`;
}

function operationRows(cases: readonly Case[]): string[][] {
  return [...usedOperations()]
    .toSorted()
    .map(([operation, who]) => [
      `\`${operation}\``,
      [...new Set(who)].join(", "),
      String(cases.filter(({ operations }) => operations.includes(operation)).length),
    ]);
}

/** @param records of accounts, the oldest first */
export function conformanceDocument(cases: readonly Case[], records: readonly ConformanceRecord[]): string {
  const products = [...Map.groupBy(cases, ({ product }) => product.name)];
  const shown = assumptions.map(({ topic, assumption, cases: ids = [], manual = "" }) => [
    topic,
    assumption,
    ids.length > 0 ? ids.map((id) => `\`${id}\``).join(", ") : manual,
  ]);
  return [
    introduction(cases, records),
    `## Never tried at Cloudflare\n\nNo part of this project ran on a real account yet. A run of the cases shows most of it; the rest is a step by hand.\n\n${table(["topic", "assumption", "cases, or the step by hand"], shown)}\n`,
    `## Cases\n\n${products.map(([name, of]) => productSection(name, of, records)).join("\n")}`,
    `## Operations\n\n${table(["operation", "called by", "cases"], operationRows(cases))}\n`,
  ].join("\n");
}
