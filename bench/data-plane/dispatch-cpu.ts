/**
 * Dispatch with warm caches against a dispatch Worker that only forwards, on the local edge: processor time of all of workerd.
 * Both sides hold the edge's own entry modules and its hop from the dispatch Worker to the tenant's.
 */
import { compare, type Side } from "../measure.ts";
import { distribution, printComparison, printFigures } from "../report.ts";
import type { Platform } from "./platform.ts";
import { workerdCpu } from "./workerd-cpu.ts";
import { SMALL } from "./workers.ts";

const TARGET = 1.25;
/** Enough for both Workers' code to be compiled. */
const WARM_UP_CALLS = 300;
const CALLS = 60;
const BOUNDS = { rounds: 31, budgetMs: 7_000 };

export async function dispatchCpu(platform: Platform): Promise<void> {
  await measure(platform, platform.tenants[0], "the tenant Worker's own part included");
  await measure(platform, SMALL, "a tenant that only answers");
}

async function measure(platform: Platform, slug: string, tenant: string): Promise<void> {
  const { client } = platform;
  const to = await platform.dispatched(slug, "/health");
  const latencies: { subject: number[]; baseline: number[] } = { subject: [], baseline: [] };
  const call = async (seen: number[]) => {
    const before = workerdCpu();
    seen.push(...(await client.calls(to, CALLS)));
    return [(workerdCpu() - before) / CALLS];
  };
  const subject: Side = { name: "dispatch Worker", round: () => call(latencies.subject) };
  const baseline: Side = {
    name: "Worker that only forwards",
    round: () => platform.whileForwarding(slug, () => call(latencies.baseline)),
  };
  await client.calls(to, WARM_UP_CALLS);
  await platform.whileForwarding(slug, () => client.calls(to, WARM_UP_CALLS));
  const compared = await compare(subject, baseline, BOUNDS);
  printComparison(`dispatch, warm, ${tenant}, on the local edge: CPU of workerd a request`, "µs", compared, TARGET);
  printFigures("  latency of the same requests, Access and the edge's own front included", [
    [subject.name, distribution(latencies.subject, "ms")],
    [baseline.name, distribution(latencies.baseline, "ms")],
  ]);
}
