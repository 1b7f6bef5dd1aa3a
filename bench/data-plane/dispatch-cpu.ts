/**
 * Dispatch with warm caches against a dispatch Worker that only forwards, on the local edge: processor time of all of workerd.
 * Both sides hold the edge's own entry modules and its hop from the dispatch Worker to the tenant's.
 */
import type { Side } from "../measure.ts";
import { distribution } from "../report.ts";
import { type ByMode, type Run, reportComparison } from "../suite.ts";
import type { Platform } from "./platform.ts";
import { workerdCpu } from "./workerd-cpu.ts";
import { SMALL } from "./workers.ts";

const TARGET = 1.25;
/** `warmUp`: calls until both Workers' code is compiled. */
const BOUNDS: ByMode<{ rounds: number; budgetMs: number; calls: number; warmUp: number }> = {
  full: { rounds: 31, budgetMs: 7_000, calls: 60, warmUp: 300 },
  smoke: { rounds: 1, budgetMs: 7_000, calls: 10, warmUp: 1 },
};

export async function dispatchCpu(platform: Platform, run: Run): Promise<void> {
  await measure(platform, run, platform.tenants[0], "the tenant Worker's own part included");
  await measure(platform, run, SMALL, "a tenant that only answers");
}

async function measure(platform: Platform, run: Run, slug: string, tenant: string): Promise<void> {
  const { client } = platform;
  const { calls, warmUp, ...bounds } = BOUNDS[run.mode];
  const to = await platform.dispatched(slug, "/health");
  const latencies: { subject: number[]; baseline: number[] } = { subject: [], baseline: [] };
  const call = async (seen: number[]) => {
    const before = workerdCpu();
    seen.push(...(await client.calls(to, calls)));
    return [(workerdCpu() - before) / calls];
  };
  const subject: Side = { name: "dispatch Worker", round: () => call(latencies.subject) };
  const baseline: Side = {
    name: "Worker that only forwards",
    round: () => platform.whileForwarding(slug, () => call(latencies.baseline)),
  };
  await client.calls(to, warmUp);
  await platform.whileForwarding(slug, () => client.calls(to, warmUp));
  const title = `dispatch, warm, ${tenant}, on the local edge`;
  await reportComparison(run, {
    title: `${title}: CPU of workerd a request`,
    unit: "µs",
    subject,
    baseline,
    bounds,
    target: TARGET,
  });
  run.report.figures(`${title}: latency of the same requests, Access and the edge's own front included`, [
    [subject.name, distribution(latencies.subject, "ms")],
    [baseline.name, distribution(latencies.baseline, "ms")],
  ]);
}
