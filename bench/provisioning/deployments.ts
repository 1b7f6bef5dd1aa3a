/** New tenants: one run compared with the engine's own, and concurrent runs with sequential ones. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { RunProject } from "#automation/engine/project.ts";
import { eachAtMost } from "#fleet/runs/bounded.ts";
import { measureTime } from "../measure.ts";
import { describeFootprint, type Footprint, footprintOf } from "../memory/footprint.ts";
import { secondsText } from "../report.ts";
import type { ByMode, Run } from "../suite.ts";
import { configOf, type Fleet, newTenant, stackOf } from "./fleet.ts";
import { reportTimed, type TimedSide, timedSide } from "./processor-time.ts";

const TARGET = 1.5;
const BOUNDS: ByMode<{ rounds: number; budgetMs: number; atOnce: number; warmUp: number }> = {
  full: { rounds: 5, budgetMs: 120_000, atOnce: 8, warmUp: 1 },
  smoke: { rounds: 1, budgetMs: 120_000, atOnce: 1, warmUp: 0 },
};
const SAMPLE_MS = 200;
/** A run's process, the parent of the engine and its plugins. */
const RUN = "automation/engine/main.ts";
const run = promisify(execFile);

export async function measureDeployments(fleet: Fleet, measured: Run): Promise<void> {
  const { atOnce, warmUp, ...bounds } = BOUNDS[measured.mode];
  for (let run = 0; run < warmUp; run++) await fleet.up(newTenant());
  await reportTimed(measured, {
    title: "A new tenant until deployed, compared with the engine's own time",
    subject: timedSide("a run of the automation service", () => fleet.up(newTenant())),
    baseline: engineSide(fleet),
    bounds,
    target: TARGET,
  });

  const list = Array.from({ length: atOnce }, newTenant);
  const serial = await withPeak(() => measureTime(() => eachAtMost(1, list, (tenant) => fleet.up(tenant))));
  const more = Array.from({ length: atOnce }, newTenant);
  const parallel = await withPeak(() => measureTime(() => eachAtMost(atOnce, more, (tenant) => fleet.up(tenant))));
  measured.report.figures(`${atOnce} new tenants`, [
    ["sequential", secondsText(serial.result)],
    ["concurrent", `${secondsText(parallel.result)}, ${(parallel.result / serial.result).toFixed(2)} of that`],
    ["peak memory of one run", describeFootprint(serial.peak)],
    [`peak memory of ${atOnce} concurrent runs`, describeFootprint(parallel.peak)],
  ]);
}

function engineSide({ variables: env }: Fleet): TimedSide {
  let stack = "";
  let project: RunProject | undefined;
  const engine = (...args: string[]) => run("pulumi", [...args, "--non-interactive"], { cwd: project?.directory, env });
  return timedSide(
    "the engine, the same program",
    async () => {
      const took = await measureTime(() =>
        engine("up", "--yes", "--skip-preview", "--suppress-outputs", "--stack", stack),
      );
      project?.remove();
      return took;
    },
    async () => {
      const tenant = newTenant();
      stack = stackOf(tenant.slug);
      project = new RunProject(stack, configOf(tenant));
      await engine("stack", "init", stack, "--no-select");
    },
  );
}

/** @returns the result of `work`, and the largest total of all runs meanwhile */
async function withPeak<T>(work: () => Promise<T>): Promise<{ result: T; peak: Footprint }> {
  let peak: Footprint = { processes: 0, resident: 0, proportional: 0 };
  const sample = setInterval(() => {
    const now = footprintOf(RUN);
    if (now.resident > peak.resident) peak = now;
  }, SAMPLE_MS);
  try {
    return { result: await work(), peak };
  } finally {
    clearInterval(sample);
  }
}
