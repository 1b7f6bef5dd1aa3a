/** Starts Postgres programs as a user who is not root. */
import { type ChildProcess, spawn } from "node:child_process";
import { platform } from "node:os";
import { dirname } from "node:path";

/**
 * Spawns a program of Postgres in a session of its own, so that Ctrl-C at a terminal reaches only its parent. On Linux it
 * is sent SIGINT, a fast shutdown, when its parent dies.
 *
 * @param user the user it becomes; `undefined` keeps the caller
 * @param output file descriptor that takes what it prints, or "pipe"
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

/** Runs a program of Postgres to its end. @throws Error one sentence with what it printed last */
export async function runPostgresProgram(
  program: string,
  user: { uid: number; gid: number } | undefined,
  args: string[],
): Promise<void> {
  const child = spawnPostgres(program, user, args, "pipe");
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const code = await ended(child);
  if (code !== 0)
    throw new Error(`The database could not be made: ${lastFault(output) ?? `initdb ended with ${code}`}.`);
}

/** The exit code or signal a process ended with. @throws Error when it could not be started */
export function ended(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once("error", (cause) => reject(new Error(`Postgres could not be started: ${cause.message}.`)));
    child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
}

/** The last error among what Postgres printed, without its prefix; a program's other words where there is none. */
export function lastFault(output: string): string | undefined {
  const last = (pattern: RegExp) =>
    output
      .split("\n")
      .flatMap((line) => pattern.exec(line)?.[1]?.replace(/\.$/, "") ?? [])
      .at(-1);
  return last(/(?:FATAL|PANIC|error):\s+(?!error:)(.+)$/) ?? last(/^(?:initdb|setpriv):\s+(.+)$/);
}
