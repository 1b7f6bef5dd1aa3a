import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { engineFaults } from "./run/fault.ts";

export type EngineVariables = Readonly<Record<string, string | undefined>>;

const MAX_OUTPUT_BYTES = 1 << 30;

/** Carries the engine's message. */
export class CommandRefused extends Error {
  override name = "CommandRefused";
}

/** Returns a command's standard output. @param cwd directory of a project @param how.input standard input @throws CommandRefused */
export async function engineCommand(
  args: readonly string[],
  cwd: string,
  variables: EngineVariables,
  { signal, input = "" }: { signal?: AbortSignal | undefined; input?: string } = {},
): Promise<string> {
  const run = promisify(execFile)("pulumi", [...args, "--non-interactive", "--color=never"], {
    cwd,
    env: { ...process.env, ...variables, PULUMI_SKIP_UPDATE_CHECK: "true" },
    maxBuffer: MAX_OUTPUT_BYTES,
    ...(signal && { signal }),
  });
  // The command may end before it reads its input.
  run.child.stdin?.on("error", () => undefined);
  run.child.stdin?.end(input);
  try {
    return (await run).stdout;
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    throw new CommandRefused(engineFaults(stderr).join("\n") || stderr.trim() || message, { cause: error });
  }
}

/** Returns the engine's version, such as `v3.256.0`. @throws CommandRefused */
export async function engineVersion(variables: EngineVariables): Promise<string> {
  return (await engineCommand(["version"], tmpdir(), variables)).trim();
}
