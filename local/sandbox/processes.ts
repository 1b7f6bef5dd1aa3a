/**
 * The processes of a sandbox, found in `/proc` by the markers in their environment: so they are found again by another
 * process, and whatever process group they moved to.
 */
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { PROCESS_MARKER, type SandboxProcess } from "../../workers/contracts/sandbox.ts";

/** Environment variable that holds the directory of the sandbox a process belongs to. */
export const SANDBOX_MARKER = "TENANTRY_SANDBOX";

export interface FoundProcess {
  pid: number;
  /** The process group. */
  group: number;
  /** One letter of `/proc/PID/stat`: R, S, D, T, … */
  state: string;
  /** Directory of its sandbox. */
  sandbox: string;
  /** Set for the gateway and the startup script themselves, not for their children. */
  type: SandboxProcess["type"] | undefined;
  /** Port the gateway was told to listen on. */
  port: number | undefined;
}

/** How long a process that belongs to no sandbox is taken for that, in milliseconds: it may become another by `exec`. */
const STRANGER_MS = 2_000;
/** Bit of the flags in `/proc/PID/stat` that marks a thread of the kernel. */
const KERNEL_THREAD = 0x0020_0000;

function variable(environment: string[], name: string): string | undefined {
  return environment.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}

let buffer = Buffer.allocUnsafe(64 * 1024);

/** The bytes of a file of `/proc`, good until the next call: a hundred small files are read at once. */
function bytesOf(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    let length = 0;
    for (;;) {
      const read = readSync(file, buffer, length, buffer.length - length, null);
      length += read;
      if (read === 0) return buffer.subarray(0, length);
      if (length === buffer.length) buffer = Buffer.concat([buffer], 2 * length);
    }
  } finally {
    closeSync(file);
  }
}

/** `stranger`: of no sandbox at or under the directory. `unclear`: gone, between two programs, or without one. */
type Inspected = FoundProcess | "stranger" | "unclear";

function inspect(proc: string, pid: number, directory: string): Inspected {
  try {
    const bytes = bytesOf(`${proc}/${pid}/environ`);
    if (bytes.length === 0) return "unclear";
    if (!bytes.includes(SANDBOX_MARKER)) return "stranger";
    const environment = bytes.toString("utf8").split("\0");
    const sandbox = variable(environment, SANDBOX_MARKER);
    if (sandbox === undefined || (sandbox !== directory && !sandbox.startsWith(`${directory}/`))) return "stranger";
    const [state = "?", , group] = statOf(proc, pid);
    const marker = variable(environment, PROCESS_MARKER);
    const type = marker === `gateway:${pid}` ? "gateway" : marker === `script:${pid}` ? "script" : undefined;
    const port = Number(variable(environment, "GATEWAY_PORT"));
    return {
      pid,
      group: Number(group),
      state,
      sandbox,
      type,
      port: Number.isInteger(port) && port > 0 ? port : undefined,
    };
  } catch (error) {
    // Another user's, or it ended meanwhile.
    return (error as NodeJS.ErrnoException).code === "EACCES" ? "stranger" : "unclear";
  }
}

/** Whether it is a thread of the kernel or has ended, so that it never runs a program any more. */
function isProgramless(proc: string, pid: number): boolean {
  try {
    const [state, , , , , , flags] = statOf(proc, pid);
    return state === "Z" || (Number(flags) & KERNEL_THREAD) !== 0;
  } catch {
    return false;
  }
}

/** The fields of `/proc/PID/stat` from the third, the state, on. */
function statOf(proc: string, pid: number): string[] {
  const stat = bytesOf(`${proc}/${pid}/stat`).toString("latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function processIds(proc: string): number[] {
  const ids: number[] = [];
  for (const name of readdirSync(proc)) {
    const pid = Number(name);
    if (Number.isInteger(pid)) ids.push(pid);
  }
  return ids;
}

/** One process, or `undefined` when it is gone or belongs to no sandbox at or under `directory`. */
export function inspectProcess(pid: number, directory: string): FoundProcess | undefined {
  const found = inspect("/proc", pid, directory);
  return typeof found === "string" ? undefined : found;
}

/** Every process of the sandboxes at or under `directory` (an absolute path), in one pass over `/proc`. */
export function findProcesses(directory: string): FoundProcess[] {
  return processIds("/proc")
    .map((pid) => inspect("/proc", pid, directory))
    .filter((found) => typeof found !== "string");
}

/**
 * {@link findProcesses} for who asks often: each pass reads anew the processes of the sandbox and those not seen before, but
 * passes over strangers seen within two seconds, and lists none when the system has begun none since the last pass.
 *
 * A process number is given to another process only after all others were, and a sandbox's processes inherit its marker, so
 * what could be missed for that long is a process of somebody else that takes the marker on.
 */
export class ProcessWatch {
  readonly #directory: string;
  readonly #proc: string;
  readonly #now: () => number;
  #strangers = new Set<number>();
  /** All that are no strangers. */
  #others: number[] = [];
  #ours = new Set<number>();
  /** The number given last when they were listed. */
  #lastId: string | undefined;
  #since = Number.NEGATIVE_INFINITY;

  /** @param directory an absolute path @param options.proc where the system tells of its processes. Default: `/proc` */
  constructor(directory: string, options: { proc?: string; now?: () => number } = {}) {
    this.#directory = directory;
    this.#proc = options.proc ?? "/proc";
    this.#now = options.now ?? (() => performance.now());
  }

  find(): FoundProcess[] {
    this.#list();
    const found: FoundProcess[] = [];
    const others: number[] = [];
    for (const pid of this.#others) {
      const one = inspect(this.#proc, pid, this.#directory);
      if (typeof one !== "string") found.push(one);
      // For a moment a process of the sandbox may look like another's.
      const isStranger =
        one === "stranger" ? !this.#ours.has(pid) : one === "unclear" && isProgramless(this.#proc, pid);
      if (isStranger) this.#strangers.add(pid);
      else others.push(pid);
    }
    this.#others = others;
    this.#ours = new Set(found.map(({ pid }) => pid));
    return found;
  }

  #list(): void {
    const isFresh = this.#now() - this.#since < STRANGER_MS;
    // Read before they are listed, so that what begins meanwhile is listed the next time.
    const lastId = lastProcessId(this.#proc);
    if (isFresh && lastId !== undefined && lastId === this.#lastId) return;
    const before = isFresh ? this.#strangers : new Set<number>();
    if (!isFresh) this.#since = this.#now();
    this.#lastId = lastId;
    this.#strangers = new Set();
    this.#others = [];
    for (const pid of processIds(this.#proc)) {
      if (before.has(pid)) this.#strangers.add(pid);
      else this.#others.push(pid);
    }
  }
}

/** The number that was given last, to a process or a thread; `undefined` where the system does not tell. */
function lastProcessId(proc: string): string | undefined {
  try {
    return bytesOf(`${proc}/sys/kernel/ns_last_pid`).toString("latin1");
  } catch {
    return undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended just now.
  }
}

/**
 * Ends every process of the sandboxes at or under `directory` and returns when none is left: SIGTERM first, SIGKILL after
 * `graceMs` (0: at once).
 *
 * @returns how many there were
 * @throws Error when some are still there ten seconds after SIGKILL
 */
export async function endProcesses(directory: string, graceMs: number): Promise<number> {
  const ended = new Set<number>();
  const killAt = Date.now() + graceMs;
  const deadline = killAt + 10_000;
  for (;;) {
    const found = findProcesses(directory);
    if (found.length === 0) return ended.size;
    const force = Date.now() >= killAt;
    for (const { pid, group, state } of found) {
      const seen = ended.has(pid);
      ended.add(pid);
      if (seen && !force) continue;
      // Members that cleared their environment still end with their group.
      const targets = group > 1 && group !== pid && found.some((other) => other.pid === group) ? [pid] : [pid, -group];
      for (const target of targets) if (target !== 0 && target !== -1) signal(target, force ? "SIGKILL" : "SIGTERM");
      if (state === "T") signal(pid, "SIGCONT");
    }
    if (Date.now() > deadline) throw new Error(`${found.length} processes of a sandbox cannot be ended`);
    await delay(10);
  }
}
