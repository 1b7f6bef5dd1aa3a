/** A health snapshot through the local edge, compared with the gateway's `/health`. The target is in `workers-alone.ts`, without hops. */
import { type ByMode, type Run, reportComparison } from "../suite.ts";
import type { Platform } from "./platform.ts";

const BOUNDS: ByMode<{ rounds: number; budgetMs: number; calls: number; warmUp: number }> = {
  full: { rounds: 9, budgetMs: 5_000, calls: 50, warmUp: 100 },
  smoke: { rounds: 1, budgetMs: 5_000, calls: 1, warmUp: 1 },
};

/** An alias of `/api/health` without a rate limit. Passive, so that nothing is started. */
export const SNAPSHOT = "/api/status?passive=1";

export async function healthSnapshot(platform: Platform, run: Run): Promise<void> {
  const { client, tenants, dispatched, direct } = platform;
  const { calls, warmUp, ...bounds } = BOUNDS[run.mode];
  const [slug] = tenants;
  const [snapshot, proxied, own] = [
    await dispatched(slug, SNAPSHOT),
    await dispatched(slug, "/health"),
    direct(slug, "/health"),
  ];
  for (const to of [snapshot, proxied, own]) await client.calls(to, warmUp);
  const subject = { name: "snapshot through the platform", round: () => client.calls(snapshot, calls) };
  const baselines = [
    ["same way", { name: "the gateway's /health through the platform", round: () => client.calls(proxied, calls) }],
    ["against the bare port", { name: "the gateway's /health on its port", round: () => client.calls(own, calls) }],
  ] as const;
  for (const [way, baseline] of baselines) {
    const title = `health snapshot on the local edge, ${way}: latency`;
    await reportComparison(run, { title, unit: "ms", subject, baseline, bounds });
  }
}
