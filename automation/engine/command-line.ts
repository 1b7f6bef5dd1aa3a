/** The engine's command line, for what its automation library does not offer: reading states, and lists of stacks. */
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { engineFaults } from "./run/fault.ts";

export type EngineVariables = Readonly<Record<string, string | undefined>>;

/** Of an answer: far more than a thousand tenants take. */
const MOST_BYTES = 1 << 30;

/** The engine's command line refused, in its own words. */
export class CommandRefused extends Error {
  override name = "CommandRefused";
}

/**
 * Runs a command.
 *
 * @param cwd directory of a project
 * @param variables beside those of the process: where states are and how they are entered
 * @param how.signal ends it. Default: nothing does
 * @param how.input what it reads from standard input. Default: nothing
 * @returns what it printed
 * @throws CommandRefused
 */
export async function engineCommand(
  args: readonly string[],
  cwd: string,
  variables: EngineVariables,
  { signal, input = "" }: { signal?: AbortSignal | undefined; input?: string } = {},
): Promise<string> {
  const run = promisify(execFile)("pulumi", [...args, "--non-interactive", "--color=never"], {
    cwd,
    env: { ...process.env, ...variables, PULUMI_SKIP_UPDATE_CHECK: "true" },
    maxBuffer: MOST_BYTES,
    ...(signal && { signal }),
  });
  // A command that reads nothing may have ended before: its exit says how.
  run.child.stdin?.on("error", () => undefined);
  run.child.stdin?.end(input);
  try {
    return (await run).stdout;
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    throw new CommandRefused(engineFaults(stderr).join("\n") || stderr.trim() || message, { cause: error });
  }
}

/** The engine's version, as `v3.256.0`. @throws CommandRefused */
export async function engineVersion(variables: EngineVariables): Promise<string> {
  return (await engineCommand(["version"], tmpdir(), variables)).trim();
}
