/** New tenants: one against the engine's own time for the same program, and several at once against one after another. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { RunProject } from "../../automation/engine/project.ts";
import { eachAtMost } from "../../fleet/runs/bounded.ts";
import { type Bounds, compare } from "../measure.ts";
import { describe } from "../memory/memory.ts";
import { printComparison, printFigures } from "../report.ts";
import { configOf, type Fleet, stackOf } from "./fleet.ts";
import { withPeak } from "./peak-memory.ts";

const TARGET = 1.5;
const BOUNDS: Bounds = { rounds: 5, budgetMs: 120_000 };
const AT_ONCE = 8;
const run = promisify(execFile);

let count = 0;
const another = () => ({ slug: `new-${++count}`, plan: "basic" as const });

export async function deployments(fleet: Fleet): Promise<void> {
  await fleet.up(another());
  const compared = await compare(
    { name: "a run as the automation service's", round: async () => [await fleet.up(another())] },
    { name: "the engine, the same program", round: async () => [await engineUp(fleet)] },
    BOUNDS,
  );
  printComparison("A new tenant, provisioned to deployed, against the engine's own", "ms", compared, TARGET);

  const alone = await withPeak(() => fleet.up(another()));
  const list = Array.from({ length: AT_ONCE }, another);
  const serial = await timed(() => eachAtMost(1, list, (tenant) => fleet.up(tenant)));
  const more = Array.from({ length: AT_ONCE }, another);
  const parallel = await withPeak(() => timed(() => eachAtMost(AT_ONCE, more, (tenant) => fleet.up(tenant))));
  printFigures(`${AT_ONCE} new tenants`, [
    ["one after another", seconds(serial)],
    ["at once", `${seconds(parallel.result)}, ${(parallel.result / serial).toFixed(2)} of that`],
    ["memory of one run at its peak", describe(alone.peak)],
    [`memory of ${AT_ONCE} at once at its peak`, describe(parallel.peak)],
  ]);
}

/** The engine's own command line on a stack that is made already. @returns milliseconds */
async function engineUp({ variables }: Fleet): Promise<number> {
  const tenant = another();
  const stack = stackOf(tenant.slug);
  const project = new RunProject(stack, configOf(tenant));
  const engine = (...args: string[]) =>
    run("pulumi", [...args, "--non-interactive", "--stack", stack], { cwd: project.directory, env: variables });
  try {
    await run("pulumi", ["stack", "init", stack, "--no-select"], { cwd: project.directory, env: variables });
    return await timed(() => engine("up", "--yes", "--skip-preview", "--suppress-outputs"));
  } finally {
    project.remove();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;
