/** A request right after the tenant's caches were cleared, compared with warm caches, and its database requests. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { repeatCall, type Target } from "../client.ts";
import { type ByMode, type Run, reportComparison } from "../suite.ts";
import { type Platform, tenantHost } from "./platform.ts";

const BOUNDS: ByMode<{ rounds: number; budgetMs: number; calls: number }> = {
  full: { rounds: 9, budgetMs: 6_000, calls: 12 },
  smoke: { rounds: 1, budgetMs: 6_000, calls: 1 },
};
/** Node.js publishes each request to a server of this process, including the edge's. */
const CHANNEL = "http.server.request.start";

export async function coldMiss(platform: Platform, run: Run): Promise<void> {
  const { edge, client, tenants, invalidateToken, dispatched } = platform;
  const { calls, ...bounds } = BOUNDS[run.mode];
  const [slug] = tenants;
  const to = await dispatched(slug, "/health");
  const invalidation: Target = {
    port: edge.port,
    path: `/_invalidate/${slug}`,
    headers: { host: `${tenantHost(edge, "_dispatch")}:${edge.port}`, authorization: `Bearer ${invalidateToken}` },
  };
  const roundTrips: number[] = [];
  await client.call(to);
  await reportComparison(run, {
    title: "cold miss: latency",
    unit: "ms",
    subject: {
      name: "first request after /_invalidate",
      round: () =>
        repeatCall(calls, async () => {
          await client.call(invalidation);
          let latency = 0;
          roundTrips.push(
            await countRestCalls(async () => {
              latency = await client.call(to);
            }),
          );
          return latency;
        }),
    },
    baseline: { name: "request with warm caches", round: () => client.calls(to, calls) },
    bounds,
  });
  const [min, max] = [Math.min(...roundTrips), Math.max(...roundTrips)];
  run.report.figures("cold miss: REST round trips", [
    [
      "minimum and maximum",
      `${min} and ${max} of ${roundTrips.length} misses`,
      { title: "cold miss: REST round trips, maximum", value: max, target: 1 },
    ],
  ]);
}

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
