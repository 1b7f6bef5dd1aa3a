/** New tenants: one against the engine's own time for the same program, and several at once against one after another. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { RunProject } from "#automation/engine/project.ts";
import { eachAtMost } from "#fleet/runs/bounded.ts";
import { describe } from "../memory/footprint.ts";
import type { ByMode, Run } from "../suite.ts";
import { configOf, type Fleet, stackOf } from "./fleet.ts";
import { withPeak } from "./peak-memory.ts";
import { reportTimed, type TimedSide, timedSide } from "./processor-time.ts";

const TARGET = 1.5;
const BOUNDS: ByMode<{ rounds: number; budgetMs: number; atOnce: number; warmUp: number }> = {
  full: { rounds: 5, budgetMs: 120_000, atOnce: 8, warmUp: 1 },
  smoke: { rounds: 1, budgetMs: 120_000, atOnce: 1, warmUp: 0 },
};
const run = promisify(execFile);

let count = 0;
const another = () => ({ slug: `new-${++count}`, plan: "basic" as const });

export async function deployments(fleet: Fleet, measured: Run): Promise<void> {
  const { atOnce, warmUp, ...bounds } = BOUNDS[measured.mode];
  for (let run = 0; run < warmUp; run++) await fleet.up(another());
  await reportTimed(measured, {
    title: "A new tenant, provisioned to deployed, against the engine's own",
    subject: timedSide("a run as the automation service's", () => fleet.up(another())),
    baseline: engineSide(fleet),
    bounds,
    target: TARGET,
  });

  const list = Array.from({ length: atOnce }, another);
  const serial = await withPeak(() => timed(() => eachAtMost(1, list, (tenant) => fleet.up(tenant))));
  const more = Array.from({ length: atOnce }, another);
  const parallel = await withPeak(() => timed(() => eachAtMost(atOnce, more, (tenant) => fleet.up(tenant))));
  measured.report.figures(`${atOnce} new tenants`, [
    ["one after another", seconds(serial.result)],
    ["at once", `${seconds(parallel.result)}, ${(parallel.result / serial.result).toFixed(2)} of that`],
    ["memory of one run at its peak", describe(serial.peak)],
    [`memory of ${atOnce} at once at its peak`, describe(parallel.peak)],
  ]);
}

/** The engine's own command line, each time on a stack that is made already. */
function engineSide({ variables: env }: Fleet): TimedSide {
  let stack = "";
  let project: RunProject | undefined;
  const engine = (...args: string[]) => run("pulumi", [...args, "--non-interactive"], { cwd: project?.directory, env });
  return timedSide(
    "the engine, the same program",
    async () => {
      const took = await timed(() => engine("up", "--yes", "--skip-preview", "--suppress-outputs", "--stack", stack));
      project?.remove();
      return took;
    },
    async () => {
      const tenant = another();
      stack = stackOf(tenant.slug);
      project = new RunProject(stack, configOf(tenant));
      await engine("stack", "init", stack, "--no-select");
    },
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
