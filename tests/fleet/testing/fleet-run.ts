/** Runs `npm run fleet` in a process against an edge. */
import { type ChildProcess, spawn } from "node:child_process";
import type { FleetReport } from "#fleet/outcome/report.ts";
import type { Edge } from "#local/edge.ts";
import { stateEnvironment } from "#local/start/project.ts";
import { killTree, ROOT, WITH_CHECKPOINTS } from "../../testing/engine.ts";
import { providersPort } from "../../testing/platform.ts";
import { type EndedProcess, processEnd } from "../../testing/process-output.ts";

/** Its output is the report. */
export type FleetRun = EndedProcess;

/** Processes to kill after a failed test. */
const running = new Set<ChildProcess>();

export function killFleets(): void {
  for (const { pid } of running) if (pid !== undefined) killTree(pid);
}

/** @param variables override those of the edge; `undefined` removes one @param input on standard input */
export function startFleet(
  edge: Edge,
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  input = "",
): { child: ChildProcess; ended: Promise<FleetRun> } {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "fleet/main.ts", ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...stateEnvironment(edge.directory, edge, providersPort(edge)),
      CLOUDFLARE_BASE_URL: edge.apiUrl,
      ...WITH_CHECKPOINTS,
      ...variables,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  running.add(child);
  child.on("close", () => running.delete(child));
  return { child, ended: processEnd(child) };
}

export const runFleet = (
  edge: Edge,
  args: readonly string[],
  variables?: NodeJS.ProcessEnv,
  input?: string,
): Promise<FleetRun> => startFleet(edge, args, variables, input).ended;

/** Returns the report of a run with `--json`. */
export async function reportOf(
  edge: Edge,
  args: readonly string[],
  variables?: NodeJS.ProcessEnv,
): Promise<FleetReport & { code: number | null }> {
  const { code, output, progress } = await runFleet(edge, [...args, "--json"], variables);
  try {
    return { ...JSON.parse(output), code };
  } catch (error) {
    throw new Error(`no report: ${output}\n${progress}`, { cause: error });
  }
}
