/** What stands in for vendors on one machine, and how it differs: `docs/reference/stand-ins.md`. */
import { lenienciesTable, operationsTable, partsTable, standIns, standInsTable } from "@tenantry/edge/stand-ins";
import { mailDifferences } from "@tenantry/mail";
import { postgrestDifferences } from "@tenantry/postgrest";
import type { StandIn } from "@tenantry/std/difference";

/** Beside the edge. */
const otherVendors: readonly StandIn[] = [postgrestDifferences, mailDifferences];

export const allStandIns: readonly StandIn[] = [...standIns, ...otherVendors];

const HEAD = `# Stand-ins

On one machine, [the edge](../../packages/edge/docs/coverage.md) stands in for Cloudflare, and two servers stand in for Supabase's REST layer and a mail
provider. They are strict: what differs is refused or missing, except for the leniencies below. Something that works here because of a leniency may fail
in production. A [conformance case](conformance.md) or a [limit](cloudflare-limits.md) settles some of them; the others are left for the reason given.

The list is data in \`differences.ts\` of each stand-in and in \`differs\` of each part of the API. \`npm run coverage\` prints it; a test fails when it grows.
`;

export function standInDocument(): string {
  const vendors = `## Beside the edge\n\n${standInsTable(otherVendors)}`;
  return [HEAD, `## Leniencies\n\n${lenienciesTable(allStandIns)}`, "", vendors, ""].join("\n");
}

if (import.meta.main) {
  console.log([partsTable(), operationsTable(), standInsTable(), standInDocument()].join("\n\n"));
}
