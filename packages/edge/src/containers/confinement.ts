/** How far a container's processes are kept apart from the machine, and how they are started and entered for that. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { ProcessImage } from "./process-image.ts";

/** `namespaces`: mount, IPC and PID namespaces of its own. `none`: plain processes of the user who started the edge. */
export type Confinement = { kind: "namespaces" } | { kind: "none"; reason: string };

/** A container's first process. */
export interface Init {
  /** Its number on the machine. */
  pid: number;
  /** Settles when it and all processes of its namespace have ended. */
  ended: Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

/** What of the machine a container gets to see. */
export interface View {
  /** Holds `workspace` and `tmp`. */
  disk: string;
  image: Pick<ProcessImage, "scripts" | "scriptsAt" | "onStart" | "onTerminate">;
  /** Further paths, to read where they lie. */
  visible: readonly string[];
}

const SCRIPT = join(import.meta.dirname, "confine.sh");
const NAMESPACES = ["--mount", "--ipc", "--pid"];
/** Whom a container's processes run as when the edge runs as root: the user who owns nothing. */
const NOBODY = 65_534;
const PROBE_MS = 5_000;

const isRoot = (): boolean => process.getuid?.() === 0;

/** Makes a directory that the container's processes own. */
export function makeOwned(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (isRoot()) chownSync(path, NOBODY, NOBODY);
}

/**
 * Starts a container's first process, which lives until it is killed or this process ends.
 *
 * @param root an empty directory
 * @throws Error with the reason when the machine does not allow it
 */
export async function startInit(root: string, { disk, image, visible }: View): Promise<Init> {
  const own = isRoot() ? [] : ["--user", "--map-root-user"];
  const child = spawn(
    "unshare",
    [
      ...[...own, ...NAMESPACES, "--fork", "sh", SCRIPT, root, disk],
      ...[image.scripts, image.scriptsAt, image.onStart, image.onTerminate],
      ...visible.map((path) => realpathSync(path)),
    ],
    // Ctrl-C is for the edge alone, which ends its containers in order.
    {
      cwd: "/",
      env: { PATH: process.env.PATH, LC_ALL: "C" },
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    },
  );
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const pid = await readiness(child);
  return {
    pid,
    ended,
    kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      try {
        process.kill(pid, signal);
      } catch {
        // It ended just now.
      }
    },
  };
}

async function readiness(child: ChildProcess): Promise<number> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("a container's first process has no output");
  let reason = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    reason = (reason + text).slice(-1_000);
  });
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("close", () => reject(new Error(reason.trim().split("\n")[0] || "it ended at once")));
  });
  const lines: string[] = [];
  const ready = (async () => {
    for await (const line of createInterface(stdout)) {
      if (line === "READY") return Number(lines[0]);
      lines.push(line);
    }
    return failed;
  })();
  return Promise.race([ready, failed]);
}

/**
 * The program and arguments that run a command in a container, with no rights but its own files'.
 *
 * @param init of a confined container; without one the command runs as it is
 */
export function entering(init: Init | undefined, command: readonly string[]): string[] {
  if (init === undefined) return [...command];
  // It stops when what it runs is stopped, and would stay so when that has ended.
  const target = [
    "setpriv",
    "--pdeathsig",
    "KILL",
    "nsenter",
    "--target",
    String(init.pid),
    ...NAMESPACES,
    "--root",
    "--wd",
  ];
  const user = isRoot() ? ["--reuid", String(NOBODY), "--regid", String(NOBODY), "--clear-groups"] : [];
  return [
    ...target,
    ...(isRoot() ? [] : ["--user", "--preserve-credentials"]),
    "setpriv",
    ...user,
    "--bounding-set=-all",
    "--inh-caps=-all",
    "--no-new-privs",
    ...command,
  ];
}

/** Tries the whole of it on this machine. */
export async function probeConfinement(image: View["image"]): Promise<Confinement> {
  if (process.platform !== "linux") return { kind: "none", reason: `${process.platform} has no namespaces` };
  const directory = mkdtempSync(join(tmpdir(), "edge-probe-"));
  try {
    const disk = join(directory, "disk");
    for (const name of ["workspace", "tmp"]) makeOwned(join(disk, name));
    mkdirSync(join(directory, "root"));
    const init = await startInit(join(directory, "root"), { disk, image, visible: [dirname(process.execPath)] });
    try {
      const [program = "", ...parameters] = entering(init, [process.execPath, "--version"]);
      const child = spawn(program, parameters, { stdio: "ignore", timeout: PROBE_MS });
      const [code] = await once(child, "exit");
      return code === 0 ? { kind: "namespaces" } : { kind: "none", reason: "a namespace cannot be entered" };
    } finally {
      init.kill("SIGKILL");
      await init.ended;
    }
  } catch (error) {
    return { kind: "none", reason: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
