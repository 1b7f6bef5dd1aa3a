/** Runs `npm run conformance` in a process. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Outcome } from "#conformance/run/outcome.ts";

const ROOT = join(import.meta.dirname, "../../..");

export interface CommandRun {
  code: number | null;
  /** Standard output: the summary or JSON. */
  output: string;
  /** Standard error. */
  progress: string;
}

export function startCommand(
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
): { child: ChildProcess; ended: Promise<CommandRun> } {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "conformance/main.ts", ...args], {
    cwd: ROOT,
    env: { ...process.env, CLOUDFLARE_API_TOKEN: "", CLOUDFLARE_ACCOUNT_ID: "", CLOUDFLARE_ZONE_ID: "", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const code = new Promise<number | null>((resolve) => child.on("close", resolve));
  const ended = Promise.all([code, text(child.stdout), text(child.stderr)]).then(([code, output, progress]) => ({
    code,
    output,
    progress,
  }));
  return { child, ended };
}

export const runCommand = (args: readonly string[], variables: NodeJS.ProcessEnv = {}): Promise<CommandRun> =>
  startCommand(args, variables).ended;

/** Returns the outcomes of a run with `--json`, by case. */
export function outcomesOf({ output, progress }: CommandRun): Map<string, Outcome> {
  if (output === "") throw new Error(progress);
  const { cases } = JSON.parse(output) as { cases: Outcome[] };
  return new Map(cases.map((one) => [one.id, one]));
}
