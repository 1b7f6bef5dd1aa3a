/** Runs `npm run conformance` in a process. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { Outcome } from "#conformance/run/outcome.ts";
import { type EndedProcess, processEnd } from "../../testing/process-output.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** Its output is the summary or JSON. */
export type CommandRun = EndedProcess;

export function startCommand(
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
): { child: ChildProcess; ended: Promise<CommandRun> } {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "conformance/main.ts", ...args], {
    cwd: ROOT,
    env: { ...process.env, CLOUDFLARE_API_TOKEN: "", CLOUDFLARE_ACCOUNT_ID: "", CLOUDFLARE_ZONE_ID: "", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return { child, ended: processEnd(child) };
}

export const runCommand = (args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<CommandRun> =>
  startCommand(args, variables).ended;

/** Returns the outcomes of a run with `--json`, by case. */
export function outcomesOf({ output, progress }: CommandRun): Map<string, Outcome> {
  if (output === "") throw new Error(progress);
  const { cases } = JSON.parse(output) as { cases: Outcome[] };
  return new Map(cases.map((one) => [one.id, one]));
}
