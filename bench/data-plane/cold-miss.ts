/** A request right after the tenant was dropped from the caches against one with warm caches, and what it asks the database. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Target } from "../client.ts";
import { type ByMode, type Run, reportComparison } from "../suite.ts";
import { host, type Platform } from "./platform.ts";

const BOUNDS: ByMode<{ rounds: number; budgetMs: number; calls: number }> = {
  full: { rounds: 9, budgetMs: 6_000, calls: 12 },
  smoke: { rounds: 1, budgetMs: 6_000, calls: 1 },
};
/** Published by Node for each request that a server of this process gets, so for the edge's too. */
const CHANNEL = "http.server.request.start";

export async function coldMiss(platform: Platform, run: Run): Promise<void> {
  const { edge, client, tenants, invalidateToken, dispatched } = platform;
  const { calls, ...bounds } = BOUNDS[run.mode];
  const [slug] = tenants;
  const to = await dispatched(slug, "/health");
  const invalidation: Target = {
    port: edge.port,
    path: `/_invalidate/${slug}`,
    headers: { host: `${host(edge, "_dispatch")}:${edge.port}`, authorization: `Bearer ${invalidateToken}` },
  };
  const roundTrips: number[] = [];
  await client.call(to);
  await reportComparison(run, {
    title: "cold miss: latency",
    unit: "ms",
    subject: {
      name: "first request after /_invalidate",
      async round() {
        const latencies: number[] = [];
        for (let i = 0; i < calls; i++) {
          await client.call(invalidation);
          const counted = await countRestCalls(async () => void latencies.push(await client.call(to)));
          roundTrips.push(counted);
        }
        return latencies;
      },
    },
    baseline: { name: "request with warm caches", round: () => client.calls(to, calls) },
    bounds,
  });
  const [fewest, most] = [Math.min(...roundTrips), Math.max(...roundTrips)];
  run.report.figures("cold miss: REST round trips", [
    [
      "fewest and most",
      `${fewest} and ${most} of ${roundTrips.length} misses`,
      { title: "cold miss: REST round trips, most of all", value: most, target: 1 },
    ],
  ]);
}

/** Counts what Workers ask of the database's REST layer during `work`. */
async function countRestCalls(work: () => Promise<void>): Promise<number> {
  let count = 0;
  const listener = (message: unknown) => {
    const { request } = message as { request: { url?: string } };
    if (request.url?.includes("/rest/v1/")) count += 1;
  };
  subscribe(CHANNEL, listener);
  try {
    await work();
  } finally {
    unsubscribe(CHANNEL, listener);
  }
  return count;
}
