/** Runs scripts of the container image. */
import { execFile } from "node:child_process";
import { join } from "node:path";

const container = join(import.meta.dirname, "../container");

export interface ScriptResult {
  /** `null` when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a script to its end.
 *
 * @param root parent of the state directory `state` and the run directory `run`
 * @param before prefix of the command, such as `["unshare", "-m"]`
 */
export function runScript(
  root: string,
  script: string,
  parameters: string[],
  { env = {}, before = [] }: { env?: Record<string, string>; before?: string[] } = {},
): Promise<ScriptResult> {
  const [program = "", ...rest] = [...before, process.execPath, join(container, script), ...parameters];
  const all = { PATH: process.env.PATH, STATE_DIR: join(root, "state"), RUN_DIR: join(root, "run"), ...env };
  return new Promise((resolve) => {
    const child = execFile(program, rest, { env: all }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
