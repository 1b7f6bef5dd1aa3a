/** A gateway through the whole platform, compared with its own port. */
import { type ByMode, type Run, reportComparison } from "../suite.ts";
import type { Platform } from "./platform.ts";

const TARGET = 1.3;

const CASES = [
  { title: "GET /health", path: "/health", share: 1 },
  { title: "GET /, a page", path: "/", share: 1 },
  { title: "GET /api/count, a stream of 50 ms", path: "/api/count?to=10&everyMs=5", share: 0.08 },
];
/** Each case makes its share of `calls`. */
const BOUNDS: ByMode<{ rounds: number; budgetMs: number; calls: number; warmUp: number }> = {
  full: { rounds: 9, budgetMs: 3_000, calls: 50, warmUp: 100 },
  smoke: { rounds: 1, budgetMs: 3_000, calls: 1, warmUp: 1 },
};

export async function measureProxying({ client, tenants, dispatched, direct }: Platform, run: Run): Promise<void> {
  const { calls: maxCalls, warmUp, ...bounds } = BOUNDS[run.mode];
  const [slug] = tenants;
  for (const { title, path, share } of CASES) {
    const calls = Math.ceil(maxCalls * share);
    const [through, own] = [await dispatched(slug, path), direct(slug, path)];
    for (const to of [through, own]) await client.calls(to, Math.min(warmUp, 2 * calls));
    await reportComparison(run, {
      title: `proxying, ${title}: latency`,
      unit: "ms",
      subject: { name: "front, dispatch, tenant, gateway", round: () => client.calls(through, calls) },
      baseline: { name: "the gateway on its own port", round: () => client.calls(own, calls) },
      bounds,
      target: TARGET,
    });
  }
}
