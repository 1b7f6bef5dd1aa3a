/** Memory of an edge and the processes that it has started. Linux only. */
import { readdirSync, readFileSync } from "node:fs";

/** Sizes in megabytes. */
export interface Footprint {
  processes: number;
  /** Counts shared pages in each process. */
  resident: number;
  /** Divides shared pages among their processes; undefined where the system does not report it. */
  proportional: number | undefined;
}

type Group = "edge" | "Workers" | "gateways" | "Postgres" | "other";
export type Footprints = Record<Group | "all", Footprint>;

interface Process {
  pid: number;
  parent: number;
  command: string;
}

const NONE: Footprint = { processes: 0, resident: 0, proportional: 0 };

/** @param edge process id of the edge @param directory its state directory, which identifies processes that are not its descendants */
export function measureFootprints(edge: number, directory: string): Footprints {
  const groups: Footprints = { edge: NONE, Workers: NONE, gateways: NONE, Postgres: NONE, other: NONE, all: NONE };
  for (const { pid, command } of processTrees((root) => root.pid === edge || namesDirectory(root, directory))) {
    const size = sizeOf(pid);
    if (size === undefined) continue;
    const group = pid === edge ? "edge" : groupOf(command);
    groups[group] = sumFootprints(groups[group], size);
    groups.all = sumFootprints(groups.all, size);
  }
  return groups;
}

function groupOf(command: string): Group {
  if (/workerd serve/.test(command)) return "Workers";
  if (/postgres/.test(command)) return "Postgres";
  return /gateway/.test(command) ? "gateways" : "other";
}

/** Returns megabytes with shared pages divided, where the system reports it. */
export function proportionalBytes({ proportional, resident }: Footprint): number {
  return proportional ?? resident;
}

export function describeFootprint({ processes, resident, proportional }: Footprint): string {
  const shared = proportional === undefined ? "" : `, ${proportional.toFixed(0)} MB with shared pages divided`;
  return `${resident.toFixed(0)} MB resident${shared} (${processes} processes)`;
}

/** Returns the memory of processes whose command contains a text, with their descendants. */
export function footprintOf(text: string): Footprint {
  const processes = processTrees(({ command }) => command.includes(text));
  return processes.reduce((total, { pid }) => sumFootprints(total, sizeOf(pid) ?? NONE), NONE);
}

/** Returns the matching processes, except this one, and their descendants. */
function processTrees(isRoot: (process: Process) => boolean): Process[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => findProcess(Number(name)) ?? []);
  const found = new Map(all.filter(isRoot).map((root) => [root.pid, root] as const));
  for (const { pid } of found.values()) {
    for (const child of all) if (child.parent === pid) found.set(child.pid, child);
  }
  return [...found.values()];
}

function findProcess(pid: number): Process | undefined {
  const parent = /^PPid:\s+(\d+)/m.exec(readProcFile(pid, "status"))?.[1];
  return parent === undefined
    ? undefined
    : { pid, parent: Number(parent), command: readProcFile(pid, "cmdline").replaceAll("\0", " ") };
}

function namesDirectory({ pid, command }: Process, directory: string): boolean {
  // The programs that started the edge also name the directory.
  if (/^npm |tools\/run\.mjs/.test(command)) return false;
  return command.includes(directory) || readProcFile(pid, "environ").includes(directory);
}

function sizeOf(pid: number): Footprint | undefined {
  const kilobytes = (file: string, name: string) =>
    new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(readProcFile(pid, file))?.[1];
  const resident = kilobytes("status", "VmRSS");
  if (resident === undefined) return undefined;
  const shared = kilobytes("smaps_rollup", "Pss");
  return {
    processes: 1,
    resident: Number(resident) / 1024,
    proportional: shared === undefined ? undefined : Number(shared) / 1024,
  };
}

/** @returns an empty text when the process has ended or is another user's */
function readProcFile(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

function sumFootprints(a: Footprint, b: Footprint): Footprint {
  return {
    processes: a.processes + b.processes,
    resident: a.resident + b.resident,
    proportional:
      a.proportional === undefined || b.proportional === undefined ? undefined : a.proportional + b.proportional,
  };
}
