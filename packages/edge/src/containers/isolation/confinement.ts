import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import * as z from "zod";
import type { ProcessImage } from "../process-image.ts";
import { joinCommand } from "./cgroups.ts";
import { type Disk, MOUNT_OPTIONS } from "./disks.ts";
import { endProcess, FIRST_MARKER, signalProcess, startTimeOf } from "./processes.ts";
import { filteredCommand } from "./seccomp.ts";
import {
  type ContainerUser,
  chooseRange,
  insideId,
  isRoot,
  outsideId,
  ownDisk,
  RANGE,
  type Users,
  users,
} from "./users.ts";

/**
 * `namespaces`: own mount, IPC and PID namespaces. `filter`: system calls are filtered. `none`: plain processes of the user.
 */
export const confinement = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("namespaces"), users, filter: z.boolean() }),
  z.object({ kind: z.literal("none"), reason: z.string() }),
]);
export type Confinement = z.infer<typeof confinement>;
type Namespaces = Extract<Confinement, { kind: "namespaces" }>;

/** A container's first process. */
export interface Init {
  /** Process id on the machine. */
  pid: number;
  /** Command line that runs a command in the container, without rights. */
  enter: readonly string[];
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
  confinement: Namespaces;
  user: ContainerUser;
  disk: Disk;
  image: Pick<ProcessImage, "scripts" | "scriptsAt" | "folders" | "onStart" | "onTerminate">;
  visible: readonly string[];
  /** Control groups, see `cgroups.ts`. */
  groups: readonly string[];
  /** Default: the machine's network. */
  network?: OwnNetwork | undefined;
}

interface OwnNetwork {
  /** Command line that runs a program in its network namespace and, unless the edge is root, in a user namespace. */
  enter: readonly string[];
  /** A directory whose files replace those of the container's `/etc`. Its folder `cloudflare` may change later. */
  etc: string;
}

const SCRIPT = join(import.meta.dirname, "confine.sh");
const INIT = readFileSync(join(import.meta.dirname, "init.sh"), "utf8");
const NAMESPACES = ["--mount", "--ipc", "--pid"];
/** Also when the parent dies in a way that it cannot act on. */
const WITH_PARENT = ["--pdeathsig", "KILL"];
const NO_RIGHTS = ["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"];
/** Waits until the edge has set the ids of its user namespace. */
const MAPPED = ["unshare", "--user", "--keep-caps", "sh", "-c", 'echo USER; read -r _; exec "$@"', "sh"];
const PROBE_MS = 5_000;

/** Returns the command line that gives up all rights. It is to be run in the container. */
function rightless({ confinement: { filter }, user }: View, options: readonly string[] = []): string[] {
  const id = String(insideId(user));
  const as = user.users === "edge" ? [] : ["--reuid", id, "--regid", id, "--clear-groups"];
  return ["setpriv", ...as, ...options, ...NO_RIGHTS, ...(filter ? filteredCommand(process.arch) : [])];
}

/**
 * Starts a container's first process. It ends when it is killed, or `unshare`, or this process ends.
 *
 * @param root an empty directory
 * @throws Error with the reason when the machine does not allow it
 */
export async function startInit(root: string, view: View): Promise<Init> {
  const { marker, disk, image, visible, groups, network, user } = view;
  const own = user.users === "edge" && network === undefined ? ["--user", "--map-root-user"] : [];
  const [program = "", ...parameters] = [
    ...(network?.enter ?? []),
    ...["setpriv", ...WITH_PARENT, ...joinCommand(groups)],
    ...["unshare", ...own, ...NAMESPACES, "--fork", "--kill-child=KILL"],
    ...["sh", SCRIPT, root, disk.directory, disk.image ?? "", MOUNT_OPTIONS],
    ...[image.scripts, image.scriptsAt, network?.etc ?? "", String(insideId(user))],
    ...[...visible.map((path) => realpathSync(path)), "--"],
    ...[...(user.users === "range" ? MAPPED : []), ...rightless(view, WITH_PARENT)],
    ...["sh", "-c", INIT, "sh", image.onStart, image.onTerminate, ...image.folders],
  ];
  const child = spawn(program, parameters, {
    cwd: "/",
    env: { PATH: process.env.PATH, LC_ALL: "C", [FIRST_MARKER]: marker },
    // Out of reach of Ctrl-C: the edge ends its containers.
    detached: true,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  const ending = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const pid = await waitUntilReady(child, view).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });
  const startTime = startTimeOf(pid);
  const entered = [...NAMESPACES, ...(network === undefined ? [] : ["--net"]), "--root", "--wd"];
  // Without credentials of its own the edge's user enters as itself.
  const asUser = { range: ["--user"], id: [], edge: ["--user", "--preserve-credentials"] }[user.users];
  return {
    pid,
    enter: [
      ...["setpriv", ...WITH_PARENT, ...joinCommand(groups)],
      // Without KILL nsenter would stay suspended when a suspended command has ended.
      ...["nsenter", "--target", String(pid), ...entered, ...asUser],
      ...rightless(view),
    ],
    ending,
    // `unshare` waits for its child, unless it is killed.
    ended: ending.then(() => endProcess(pid, startTime)),
    kill(signal) {
      if (startTime !== undefined && startTimeOf(pid) === startTime) signalProcess(pid, signal);
    },
    release: () => void child.kill("SIGCONT"),
  };
}

async function waitUntilReady(child: ChildProcess, { user }: View): Promise<number> {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null)
    throw new Error("a container's first process has no output");
  stdin.on("error", () => {});
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
    for await (const line of createInterface(stdout)) {
      if (line === "READY" && pid !== undefined) return pid;
      if (line === "USER" && pid !== undefined) {
        for (const map of ["uid_map", "gid_map"]) writeFileSync(`/proc/${pid}/${map}`, `0 ${user.first} ${RANGE}`);
        stdin.end();
        continue;
      }
      pid ??= Number(line);
    }
    return failed;
  })();
  return Promise.race([ready, failed]);
}

/** Returns what this machine allows, the strictest first. */
export async function probeConfinement(image: View["image"]): Promise<Confinement> {
  if (process.platform !== "linux") return { kind: "none", reason: `${process.platform} has no namespaces` };
  const allowed: Users[] = isRoot() ? ["range", "id"] : ["edge"];
  let reason = "";
  for (const users of allowed)
    for (const filter of filteredCommand(process.arch).length > 0 ? [true, false] : [false]) {
      const tried: Namespaces = { kind: "namespaces", users, filter };
      const failure = await tryConfinement(tried, image);
      if (failure === undefined) return tried;
      reason ||= failure;
    }
  return { kind: "none", reason };
}

/** Returns why a confinement fails. */
async function tryConfinement(confinement: Namespaces, image: View["image"]): Promise<string | undefined> {
  const marker = mkdtempSync(join(tmpdir(), "edge-probe-"));
  try {
    const user = { users: confinement.users, first: chooseRange(marker, new Set()) };
    const disk: Disk = { directory: join(marker, "disk"), image: undefined };
    await ownDisk(disk.directory, outsideId(user));
    mkdirSync(join(marker, "root"));
    const visible = [dirname(process.execPath)];
    const init = await startInit(join(marker, "root"), { marker, confinement, user, disk, image, visible, groups: [] });
    try {
      const [program = "", ...parameters] = [...init.enter, process.execPath, "--version"];
      const child = spawn(program, parameters, { stdio: "ignore", timeout: PROBE_MS });
      const [code] = await once(child, "exit");
      return code === 0 ? undefined : "entering a namespace failed";
    } finally {
      init.kill("SIGKILL");
      await init.ended;
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(marker, { recursive: true, force: true });
  }
}
