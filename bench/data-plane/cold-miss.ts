/** A request right after the tenant was dropped from the caches against one with warm caches, and what it asks the database. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Target } from "../client.ts";
import { compare } from "../measure.ts";
import { judged, printComparison, printFigures } from "../report.ts";
import { host, type Platform } from "./platform.ts";

const CALLS = 12;
const BOUNDS = { rounds: 9, budgetMs: 6_000 };
/** Published by Node for each request that a server of this process gets, so for the edge's too. */
const CHANNEL = "http.server.request.start";

export async function coldMiss({ edge, client, tenants, invalidateToken, dispatched }: Platform): Promise<void> {
  const [slug] = tenants;
  const to = await dispatched(slug, "/health");
  const invalidation: Target = {
    port: edge.port,
    path: `/_invalidate/${slug}`,
    headers: { host: `${host(edge, "_dispatch")}:${edge.port}`, authorization: `Bearer ${invalidateToken}` },
  };
  const roundTrips: number[] = [];
  await client.call(to);
  const compared = await compare(
    {
      name: "first request after /_invalidate",
      async round() {
        const latencies: number[] = [];
        for (let i = 0; i < CALLS; i++) {
          await client.call(invalidation);
          const counted = await countRestCalls(async () => void latencies.push(await client.call(to)));
          roundTrips.push(counted);
        }
        return latencies;
      },
    },
    { name: "request with warm caches", round: () => client.calls(to, CALLS) },
    BOUNDS,
  );
  printComparison("cold miss: latency", "ms", compared);
  const [fewest, most] = [Math.min(...roundTrips), Math.max(...roundTrips)];
  const title = "cold miss: REST round trips, most of all";
  printFigures("  REST round trips a cold miss", [
    ["fewest and most", `${fewest} and ${most} of ${roundTrips.length} misses  target 1: ${judged(title, most, 1)}`],
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
