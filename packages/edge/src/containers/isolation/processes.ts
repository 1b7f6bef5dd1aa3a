/** Processes of containers, found in `/proc` by the marker in their environment, so also by other processes and in any process group. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Variable of the processes of containers. */
export const CONTAINER_MARKER = "TENANTRY_SANDBOX";
/** Variable of the first processes of confined containers. */
export const FIRST_MARKER = "TENANTRY_FIRST_PROCESS";

export interface FoundProcess {
  /** Process id on the machine. */
  pid: number;
  /** Process id in its PID namespace. */
  ownPid: number;
  group: number;
  /** One letter of `/proc/PID/stat`: R, S, D, T, … */
  state: string;
  container: string;
  variable(name: string): string | undefined;
}

function variableOf(environment: string[], name: string): string | undefined {
  return environment.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Position of the start time in {@link statusFields}. */
const START_TIME = 19;

/** Returns the fields of `/proc/PID/stat` from the state on. @throws Error when the process has been reaped */
function statusFields(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function inspectProcess(pid: number, marker: string, marked: readonly string[]): FoundProcess | undefined {
  try {
    const bytes = readFileSync(`/proc/${pid}/environ`);
    if (!bytes.includes(marker)) return undefined;
    const environment = bytes.toString("latin1").split("\0");
    const container = marked.map((name) => variableOf(environment, name)).find((value) => value !== undefined);
    if (container === undefined || (container !== marker && !container.startsWith(`${marker}/`))) return undefined;
    const [state = "?", , group] = statusFields(pid);
    const ids = /^NSpid:\s+(.+)$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]?.split("\t");
    const ownPid = Number(ids?.at(-1) ?? pid);
    const value = (name: string) => variableOf(environment, name);
    return { pid, ownPid, group: Number(group), state, container, variable: value };
  } catch {
    // Another user owns it, or it has ended.
    return undefined;
  }
}

/**
 * Returns the processes with a marker, or one that starts with it and a slash.
 *
 * @param marked variables with the marker. Default: that of all but first processes
 */
export function findProcesses(marker: string, marked: readonly string[] = [CONTAINER_MARKER]): FoundProcess[] {
  return readdirSync("/proc").flatMap((name) => {
    const found = /^\d+$/.test(name) ? inspectProcess(Number(name), marker, marked) : undefined;
    return found === undefined ? [] : [found];
  });
}

/** Returns when a process started, which with its id identifies it; `undefined` when it has ended. */
export function startTimeOf(pid: number): string | undefined {
  try {
    const fields = statusFields(pid);
    return fields[0] === "Z" ? undefined : fields[START_TIME];
  } catch {
    return undefined;
  }
}

/** Kills a process. Resolves when it has ended. @param startTime of {@link startTimeOf} */
export async function endProcess(pid: number, startTime: string | undefined): Promise<void> {
  for (; startTime !== undefined && startTimeOf(pid) === startTime; await delay(PASS_INTERVAL_MS))
    signalProcess(pid, "SIGKILL");
}

export function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already ended.
  }
}

/** A process is invisible for a moment during `exec`, so one empty pass is not enough. */
const EMPTY_PASSES = 5;
const PASS_INTERVAL_MS = 10;

/**
 * Kills every process with a marker, with first processes and so all that they contain. Resolves when none is left.
 *
 * @returns their number
 * @throws Error when some are left after ten seconds
 */
export async function endProcesses(marker: string): Promise<number> {
  const ended = new Set<number>();
  const deadline = Date.now() + 10_000;
  for (let empty = 0; ; await delay(PASS_INTERVAL_MS)) {
    const found = findProcesses(marker, [CONTAINER_MARKER, FIRST_MARKER]);
    empty = found.length === 0 ? empty + 1 : 0;
    if (empty === EMPTY_PASSES) return ended.size;
    for (const { pid, group } of found) {
      ended.add(pid);
      // Also ends members of its group that cleared their environment.
      const leads = group > 1 && (group === pid || !found.some((other) => other.pid === group));
      signalProcess(pid, "SIGKILL");
      if (leads) signalProcess(-group, "SIGKILL");
    }
    if (empty === 0 && Date.now() > deadline)
      throw new Error(`killing ${found.length} processes of a container failed`);
  }
}
