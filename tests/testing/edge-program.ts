/** Runs `npm start` in a process. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { platform } from "node:os";
import { ROOT, WITH_CHECKPOINTS } from "./engine.ts";

export interface Run {
  child: ChildProcess;
  /** All output, including standard error. */
  output: () => string;
  /** Resolves when `text` was printed; rejects when the program ends first. */
  printed: (text: string) => Promise<void>;
  ended: Promise<number | null>;
}

/** Processes to kill after a failed test. */
const running = new Set<ChildProcess>();

/** Kills running programs. Call it after all tests of a file. */
export function killPrograms(): void {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, "SIGKILL");
}

/** The last text that the program prints. */
export const READY = "Ctrl-C stops everything";

export function startProgram(...options: string[]): Run {
  const program = [process.execPath, "--disable-warning=ExperimentalWarning", "local/main.ts", ...options];
  // Stops with the tests, however those end.
  const [command, ...args] = platform() === "linux" ? ["setpriv", "--pdeathsig", "INT", ...program] : program;
  return followed(
    spawn(command as string, args, {
      cwd: ROOT,
      env: { ...process.env, ...WITH_CHECKPOINTS },
      stdio: ["ignore", "pipe", "pipe"],
      // A process group of its own, as in a terminal.
      detached: true,
    }),
  );
}

/** Collects the output of a process that leads its process group. */
export function followed(child: ChildProcess): Run {
  running.add(child);
  child.on("close", () => running.delete(child));
  let output = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk) => {
      output += chunk;
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const printed = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => output.includes(text) && resolve();
      listeners.add(check);
      ended.then(() => reject(new Error(`ended before it printed ${JSON.stringify(text)}:\n${output}`)));
      check();
    });
  return { child, output: () => output, printed, ended };
}

export interface Found {
  pid: number;
  parent: number;
  /** With its arguments. */
  command: string;
}

/** Returns processes whose arguments or environment name the state directory, as all of an edge's do. */
export function processesOf(directory: string): Found[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((entry) => {
      try {
        const command = readFileSync(`/proc/${entry}/cmdline`, "utf8").replaceAll("\0", " ");
        const environment = readFileSync(`/proc/${entry}/environ`, "utf8");
        if (!command.includes(directory) && !environment.includes(directory)) return [];
        const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${entry}/status`, "utf8"))?.[1];
        return [{ pid: Number(entry), parent: Number(parent), command }];
      } catch {
        return [];
      }
    });
}
