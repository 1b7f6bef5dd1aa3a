/** Processor time of this process and its children, which is independent of other load. */
import { existsSync, readFileSync } from "node:fs";

declare module "vitest" {
  interface TaskMeta {
    /** Of a test file: its worker, and the processes that ended in it. */
    processorSeconds?: number;
  }
}

/** `getconf CLK_TCK`, the same on all Linux systems that Node.js supports. */
const TICKS_PER_SECOND = 100;
const STAT = "/proc/self/stat";

/** @returns seconds of ended children of this process, with their own children; 0 without `/proc` */
export function childrenSeconds(): number {
  if (!existsSync(STAT)) return 0;
  // The second field, a name in parentheses, may contain spaces.
  const fields = readFileSync(STAT, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/** @returns seconds of this process and of its ended children */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + childrenSeconds();
}
