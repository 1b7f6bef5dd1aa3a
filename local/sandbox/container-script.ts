/** Runs a script of the container image in a sandbox, to its end. */
import { spawn } from "node:child_process";
import { once } from "node:events";

const MAX_OUTPUT_CHARACTERS = 64_000;

export interface ScriptResult {
  /** `null` when a signal ended it. */
  code: number | null;
  stdout: string;
  /** Its last line on standard error. */
  reason: string;
}

/** @throws Error when it cannot be started */
export async function runContainerScript(
  script: string,
  parameters: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): Promise<ScriptResult> {
  const child = spawn(process.execPath, [script, ...parameters], {
    ...options,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] = (output[name] + text).slice(-MAX_OUTPUT_CHARACTERS);
    });
  const [code]: (number | null)[] = await once(child, "close");
  return { code: code ?? null, stdout: output.stdout, reason: output.stderr.trimEnd().split("\n").at(-1) ?? "" };
}
