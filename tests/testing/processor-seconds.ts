/** Processor time of this process and of its children. It tells what work costs, even where a busy machine makes it last. */
import { existsSync, readFileSync } from "node:fs";

declare module "vitest" {
  interface TaskMeta {
    /** What a test file took: its worker, and the processes that ended in it. */
    processorSeconds?: number;
  }
}

/** Of the clock by which the system counts (`getconf CLK_TCK`), the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const STAT = "/proc/self/stat";

/** @returns seconds that children of this process took which have ended, with their own children; 0 where there is no `/proc` */
export function childrenSeconds(): number {
  if (!existsSync(STAT)) return 0;
  // The second field, a name in parentheses, may hold blanks.
  const fields = readFileSync(STAT, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

/** @returns seconds of this process and of its children that have ended */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + childrenSeconds();
}
