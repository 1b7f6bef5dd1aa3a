/** What an edge and all it has started hold in memory, by what the processes are. Linux only. */
import { readdirSync, readFileSync } from "node:fs";

/** Megabytes of a group of processes. */
export interface Footprint {
  processes: number;
  /** Resident, pages shared between processes counted in each. */
  resident: number;
  /** Resident, each shared page divided by those who share it; `undefined` where the system does not tell. */
  proportional: number | undefined;
}

export type Group = "edge" | "Workers" | "gateways" | "Postgres" | "other";
export type Footprints = Record<Group | "all", Footprint>;

interface Process {
  pid: number;
  parent: number;
  command: string;
}

/**
 * @param edge process id of the edge
 * @param directory its state directory, by which processes are known that are no descendants of it
 */
export function footprints(edge: number, directory: string): Footprints {
  const groups: Footprints = { edge: NONE, Workers: NONE, gateways: NONE, Postgres: NONE, other: NONE, all: NONE };
  for (const one of family(edge, directory)) {
    const size = sizeOf(one.pid);
    if (size === undefined) continue;
    const group = one.pid === edge ? "edge" : groupOf(one.command);
    groups[group] = sum(groups[group], size);
    groups.all = sum(groups.all, size);
  }
  return groups;
}

const NONE: Footprint = { processes: 0, resident: 0, proportional: 0 };

function groupOf(command: string): Group {
  if (/workerd serve/.test(command)) return "Workers";
  if (/postgres/.test(command)) return "Postgres";
  return /gateway/.test(command) ? "gateways" : "other";
}

/** A footprint in words. */
export function describe({ processes, resident, proportional }: Footprint): string {
  const shared = proportional === undefined ? "" : `, ${proportional.toFixed(0)} MB with shared pages divided`;
  return `${resident.toFixed(0)} MB resident${shared} (${processes} processes)`;
}

/** What processes whose command line has a text, and all that descends from them, hold at this moment. */
export function footprintOf(text: string): Footprint {
  return familyOf(({ command }) => command.includes(text)).reduce(
    (all, { pid }) => sum(all, sizeOf(pid) ?? NONE),
    NONE,
  );
}

/** The edge, what descends from it, and what names its directory, with its own descendants. */
const family = (edge: number, directory: string): Process[] =>
  familyOf((one) => one.pid === edge || names(one, directory));

/** Processes, this one left out, and what descends from them. */
function familyOf(isOne: (process: Process) => boolean): Process[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => processOf(Number(name)) ?? []);
  const found = new Map(all.filter(isOne).map((one) => [one.pid, one] as const));
  for (const { pid } of found.values()) {
    for (const one of all) if (one.parent === pid) found.set(one.pid, one);
  }
  return [...found.values()];
}

function processOf(pid: number): Process | undefined {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
    const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return { pid, parent: Number(parent), command };
  } catch {
    // It has ended since.
    return undefined;
  }
}

function names({ pid, command }: Process, directory: string): boolean {
  // The programs that started the edge name the directory too, and are none of its weight.
  if (/^npm |tools\/run\.mjs/.test(command)) return false;
  try {
    return command.includes(directory) || readFileSync(`/proc/${pid}/environ`, "utf8").includes(directory);
  } catch {
    return false;
  }
}

function sizeOf(pid: number): Footprint | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const resident = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
    if (resident === undefined) return undefined;
    return { processes: 1, resident: Number(resident) / 1024, proportional: proportionalOf(pid) };
  } catch {
    return undefined;
  }
}

function proportionalOf(pid: number): number | undefined {
  try {
    const text = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1];
    return text === undefined ? undefined : Number(text) / 1024;
  } catch {
    return undefined;
  }
}

function sum(a: Footprint, b: Footprint): Footprint {
  return {
    processes: a.processes + b.processes,
    resident: a.resident + b.resident,
    proportional:
      a.proportional === undefined || b.proportional === undefined ? undefined : a.proportional + b.proportional,
  };
}
