/**
 * Processor time of workerd on the local edge: the dispatch Worker with warm caches, compared with a Worker that only forwards. Both sides
 * include the edge's entry modules and its hop to the tenant's Worker.
 */
import { readdirSync, readFileSync } from "node:fs";
import { readCpu } from "@tenantry/edge/workerd";
import type { Side } from "../measure.ts";
import { distributionText } from "../report.ts";
import { type ByMode, type Run, reportComparison } from "../suite.ts";
import type { Platform } from "./platform.ts";
import { SMALL } from "./workers.ts";

const TARGET = 1.25;
/** `warmUp`: calls until the Workers' code is compiled. */
const BOUNDS: ByMode<{ rounds: number; budgetMs: number; calls: number; warmUp: number }> = {
  full: { rounds: 31, budgetMs: 7_000, calls: 60, warmUp: 300 },
  smoke: { rounds: 1, budgetMs: 7_000, calls: 10, warmUp: 1 },
};

export async function dispatchCpu(platform: Platform, run: Run): Promise<void> {
  await measureDispatchCpu(platform, run, platform.tenants[0], "including the tenant Worker");
  await measureDispatchCpu(platform, run, SMALL, "a tenant with a constant response");
}

async function measureDispatchCpu(platform: Platform, run: Run, slug: string, tenant: string): Promise<void> {
  const { client } = platform;
  const { calls, warmUp, ...bounds } = BOUNDS[run.mode];
  const to = await platform.dispatched(slug, "/health");
  const latencies: { subject: number[]; baseline: number[] } = { subject: [], baseline: [] };
  const call = async (collected: number[]) => {
    const before = workerdCpu();
    collected.push(...(await client.calls(to, calls)));
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
    title: `${title}: CPU of workerd per request`,
    unit: "µs",
    subject,
    baseline,
    bounds,
    target: TARGET,
  });
  run.report.figures(`${title}: latency of the same requests, including Access and the edge's front`, [
    [subject.name, distributionText(latencies.subject, "ms")],
    [baseline.name, distributionText(latencies.baseline, "ms")],
  ]);
}

/** @returns microseconds of all workerd processes that this process has started @throws Error when there are none, or the system does not report it */
function workerdCpu(): number {
  const readings = workerdProcesses().map((pid) => readCpu(pid)?.ran);
  const known = readings.filter((ran) => ran !== undefined);
  if (known.length === 0) throw new Error("No workerd runs, or this system has no /proc/PID/schedstat.");
  return known.reduce((sum, ran) => sum + ran, 0) * 1_000;
}

function workerdProcesses(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [, name, , parent] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
        return name === "workerd" && Number(parent) === process.pid;
      } catch {
        return false;
      }
    });
}
