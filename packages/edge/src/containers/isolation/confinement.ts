import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { ProcessImage } from "../process-image.ts";
import { endProcess, FIRST_MARKER, signalProcess, startTimeOf } from "./processes.ts";

/** `namespaces`: own mount, IPC and PID namespaces. `none`: plain processes of the user. */
export type Confinement = { kind: "namespaces" } | { kind: "none"; reason: string };

/** A container's first process. */
export interface Init {
  /** Process id on the machine. */
  pid: number;
  /** Options of `nsenter`. */
  namespaces: readonly string[];
  /** Resolves when it ends by itself, or a process on the machine that it depends on. */
  ending: Promise<void>;
  /** Resolves when all processes of its namespace have ended. */
  ended: Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Resumes the process on the machine that waits for its end. */
  release(): void;
}

export interface View {
  /** Marks its first processes, see `processes.ts`. */
  marker: string;
  /** Has `workspace` and `tmp`. */
  disk: string;
  image: Pick<ProcessImage, "scripts" | "scriptsAt" | "onStart" | "onTerminate">;
  visible: readonly string[];
  /** Default: the machine's network. */
  network?: NetworkHook | undefined;
}

/** Gives a container a network of its own. */
export interface NetworkHook {
  /** Options of `unshare` and `nsenter`. */
  namespaces: readonly string[];
  /** A directory whose files replace those of the container's `/etc`. Its folder `cloudflare` may change later. */
  etc?: string | undefined;
  /** Called when the namespaces exist. @param pid of the container's first process, on the machine */
  prepare(pid: number): Promise<void>;
}

const SCRIPT = join(import.meta.dirname, "confine.sh");
const NAMESPACES = ["--mount", "--ipc", "--pid"];
/** Also when the parent dies in a way that it cannot act on. */
const WITH_PARENT = ["setpriv", "--pdeathsig", "KILL"];
/** User of a container's processes when the edge runs as root. */
const NOBODY = 65_534;
const PROBE_MS = 5_000;

const isRoot = (): boolean => process.getuid?.() === 0;

export function makeOwned(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (isRoot()) chownSync(path, NOBODY, NOBODY);
}

/**
 * Starts a container's first process. It ends when it is killed, or `unshare`, or this process ends.
 *
 * @param root an empty directory
 * @throws Error with the reason when the machine does not allow it
 */
export async function startInit(root: string, view: View): Promise<Init> {
  const { marker, disk, image, visible, network } = view;
  const namespaces = [...NAMESPACES, ...(network?.namespaces ?? [])];
  const own = isRoot() ? [] : ["--user", "--map-root-user"];
  const [program = "", ...parameters] = [
    ...[...WITH_PARENT, "unshare", ...own, ...namespaces, "--fork", "--kill-child=KILL"],
    ...["sh", SCRIPT, root, disk, image.scripts, image.scriptsAt, image.onStart, image.onTerminate],
    network?.etc ?? "",
    ...visible.map((path) => realpathSync(path)),
  ];
  const child = spawn(program, parameters, {
    cwd: "/",
    env: { PATH: process.env.PATH, LC_ALL: "C", [FIRST_MARKER]: marker },
    // Out of reach of Ctrl-C: the edge ends its containers.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const ending = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const pid = await waitUntilReady(child, network).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });
  const startTime = startTimeOf(pid);
  return {
    pid,
    namespaces,
    ending,
    // `unshare` waits for its child, unless it is killed.
    ended: ending.then(() => endProcess(pid, startTime)),
    kill(signal) {
      if (startTime !== undefined && startTimeOf(pid) === startTime) signalProcess(pid, signal);
    },
    release: () => void child.kill("SIGCONT"),
  };
}

async function waitUntilReady(child: ChildProcess, network: NetworkHook | undefined): Promise<number> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("a container's first process has no output");
  let reason = "";
  stderr.setEncoding("utf8").on("data", (text: string) => {
    reason = (reason + text).slice(-1_000);
  });
  const failed = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("close", () => reject(new Error(reason.trim().split("\n")[0] || "it ended immediately")));
  });
  const ready = (async () => {
    let pid: number | undefined;
    let prepared: Promise<void> | undefined;
    for await (const line of createInterface(stdout)) {
      if (line === "READY" && pid !== undefined) {
        await prepared;
        return pid;
      }
      pid ??= Number(line);
      prepared ??= network?.prepare(pid);
      // Reported at READY.
      prepared?.catch(() => {});
    }
    return failed;
  })();
  return Promise.race([ready, failed]);
}

/**
 * Returns the command line that runs a command in a container without privileges.
 *
 * @param init of a confined container. Without it the command is unchanged
 */
export function enterCommand(init: Init | undefined, command: readonly string[]): string[] {
  if (init === undefined) return [...command];
  // Without KILL nsenter would stay suspended when a suspended command has ended.
  const target = [...WITH_PARENT, "nsenter", "--target", String(init.pid), ...init.namespaces, "--root", "--wd"];
  const user = isRoot() ? [] : ["--user", "--preserve-credentials"];
  const nobody = isRoot() ? ["--reuid", String(NOBODY), "--regid", String(NOBODY), "--clear-groups"] : [];
  const rights = ["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"];
  return [...target, ...user, "setpriv", ...nobody, ...rights, ...command];
}

export async function probeConfinement(image: View["image"]): Promise<Confinement> {
  if (process.platform !== "linux") return { kind: "none", reason: `${process.platform} has no namespaces` };
  const directory = mkdtempSync(join(tmpdir(), "edge-probe-"));
  try {
    const disk = join(directory, "disk");
    for (const name of ["workspace", "tmp"]) makeOwned(join(disk, name));
    mkdirSync(join(directory, "root"));
    const visible = [dirname(process.execPath)];
    const init = await startInit(join(directory, "root"), { marker: directory, disk, image, visible });
    try {
      const [program = "", ...parameters] = enterCommand(init, [process.execPath, "--version"]);
      const child = spawn(program, parameters, { stdio: "ignore", timeout: PROBE_MS });
      const [code] = await once(child, "exit");
      return code === 0 ? { kind: "namespaces" } : { kind: "none", reason: "entering a namespace failed" };
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
