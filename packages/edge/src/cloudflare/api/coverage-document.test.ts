import { join } from "node:path";
import { LIMITS } from "@tenantry/cloudflare-limits/limits";
import { leniencies } from "@tenantry/std/difference";
import { expect, test } from "vitest";
import { standIns } from "../../stand-ins.ts";
import { lenienciesTable, limitsTable, partsTable, standInsTable } from "./coverage-table.ts";

const DOCUMENT = join(import.meta.dirname, "../../../docs/coverage.md");

const document = () => `# Coverage

The edge serves these operations of Cloudflare's API. Any other operation gets status 501 in Cloudflare's error format, and a line
\`unsupported\` in \`edge.log\`. \`npm run coverage\` prints these tables, and one with every operation and the method of the \`cloudflare\` package that calls it.

Three clients that are not part of this project check the API in tests: the \`cloudflare\` package (every operation, with its declared types),
wrangler (\`deploy\`, dispatch namespaces, assets, containers) and Pulumi's engine.

A difference is missing, **lenient** or **undocumented**. What is missing is refused or does nothing, so it cannot hide a fault. The edge is
lenient where it accepts, shows or keeps more than Cloudflare. It is undocumented where nothing says what Cloudflare does.

${partsTable()}

## Outside of the API

workerd runs all code. Dispatch namespaces, cron triggers, CPU and subrequest limits and Analytics Engine are implemented by the edge.

By default a container is a group of plain processes of this machine. On Linux each container has its own mount, IPC and PID namespaces, and access
to the system's programs and its own disk only. When two Access applications match, the longer path wins, then the more specific host. AI Gateway has
authentication, caching, rate limits, spend limits, logs and data loss prevention.

${standInsTable()}

## Leniencies

What works here because of one of these may fail at Cloudflare. A conformance case or a [limit](../../../docs/reference/cloudflare-limits.md) settles some of them.

${lenienciesTable()}

## Limits

The edge enforces [Cloudflare's limits](../../../docs/reference/cloudflare-limits.md) of a paid plan, with Cloudflare's status and code where they are
documented. The option \`limits\` of \`startEdge\` changes a value. So does the variable \`EDGE_LIMITS\`, such as
\`EDGE_LIMITS=apiRequests=100000\` for a load test. These limits are not enforced:

${limitsTable()}

## Not verified

The edge was not compared with a live Cloudflare account. Error codes and texts follow Cloudflare's documentation where it has them.
[Conformance](../../../docs/reference/conformance.md) lists what Tenantry relies on, by case, and what accounts have confirmed.
`;

test("docs/coverage.md has the differences and the limits; `-u` writes it", async () => {
  await expect(document()).toMatchFileSnapshot(DOCUMENT);
});

test("each limit that settles a leniency exists", () => {
  const limits = leniencies(standIns).flatMap(({ settledBy = "." }) => (settledBy.includes(".") ? [] : settledBy));
  expect(limits.filter((name) => !Object.hasOwn(LIMITS, name))).toEqual([]);
});
