/** A gateway reached through the whole platform against the same gateway on its own port. */
import { compare } from "../measure.ts";
import { printComparison } from "../report.ts";
import type { Platform } from "./platform.ts";

const TARGET = 1.3;
const WARM_UP_CALLS = 100;

/** What is asked of the gateway: nothing to do, a page that writes to its database, an answer that streams for a while. */
const CASES = [
  { title: "GET /health", path: "/health", calls: 50 },
  { title: "GET /, a page", path: "/", calls: 50 },
  { title: "GET /api/count, a stream of 50 ms", path: "/api/count?to=10&everyMs=5", calls: 4 },
];
const BOUNDS = { rounds: 9, budgetMs: 3_000 };

export async function proxying({ client, tenants, dispatched, direct }: Platform): Promise<void> {
  const [slug] = tenants;
  for (const { title, path, calls } of CASES) {
    const [through, own] = [await dispatched(slug, path), direct(slug, path)];
    for (const to of [through, own]) await client.calls(to, Math.min(WARM_UP_CALLS, 2 * calls));
    const compared = await compare(
      { name: "front, dispatch, tenant, gateway", round: () => client.calls(through, calls) },
      { name: "the gateway on its own port", round: () => client.calls(own, calls) },
      BOUNDS,
    );
    printComparison(`proxying, ${title}: latency`, "ms", compared, TARGET);
  }
}
