import { type ChildProcess, spawn } from "node:child_process";
import { platform } from "node:os";
import { dirname } from "node:path";

/**
 * Spawns a program of Postgres in its own session, so that Ctrl-C at a terminal reaches its parent alone. On Linux it
 * gets SIGINT, a fast shutdown, when its parent dies.
 *
 * @param user to run as; `undefined` for the caller
 * @param output file descriptor of its output, or "pipe"
 */
export function spawnPostgres(
  program: string,
  user: { uid: number; gid: number } | undefined,
  args: string[],
  output: number | "pipe",
): ChildProcess {
  const become = user === undefined ? [] : ["--reuid", `${user.uid}`, "--regid", `${user.gid}`, "--clear-groups"];
  const wrapped =
    platform() === "linux" ? ["setpriv", "--pdeathsig", "INT", ...become, program, ...args] : [program, ...args];
  const [command = program, ...rest] = wrapped;
  return spawn(command, rest, {
    cwd: dirname(program),
    env: { PATH: process.env.PATH, TZ: "UTC", LC_ALL: "C" },
    stdio: ["ignore", output, output],
    detached: true,
  });
}

/** Runs a program of Postgres to its end. @throws Error with the last error that it printed */
export async function runPostgresProgram(
  program: string,
  user: { uid: number; gid: number } | undefined,
  args: string[],
): Promise<void> {
  const child = spawnPostgres(program, user, args, "pipe");
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await waitForEnd(child);
  if (code !== 0)
    throw new Error(`Failed to create the database: ${findLastError(output) ?? `initdb ended with ${code}`}.`);
}

/** Returns the exit code or signal of a process. @throws Error when it does not start */
export function waitForEnd(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once("error", (cause) => reject(new Error(`Failed to start Postgres: ${cause.message}.`)));
    child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
}

/** Returns the last error that Postgres printed, without its prefix, else the last line of `initdb` or `setpriv`. */
export function findLastError(output: string): string | undefined {
  const last = (pattern: RegExp) =>
    output
      .split("\n")
      .flatMap((line) => pattern.exec(line)?.[1]?.replace(/\.$/, "") ?? [])
      .at(-1);
  return last(/(?:FATAL|PANIC|error):\s+(?!error:)(.+)$/) ?? last(/^(?:initdb|setpriv):\s+(.+)$/);
}
