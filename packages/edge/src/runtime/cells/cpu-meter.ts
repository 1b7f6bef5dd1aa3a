/** Processor time of a process, from the scheduler's own counters. Linux only. */
import { readdirSync, readFileSync } from "node:fs";

export interface CpuReading {
  /** Milliseconds all threads have run. */
  ran: number;
  /** Milliseconds they were ready to run but waited for a processor. */
  waited: number;
}

/** @returns nothing when the process is gone or the system has no such counters */
export function readCpu(pid: number): CpuReading | undefined {
  let ran = 0;
  let waited = 0;
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [on = "0", queued = "0"] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
      ran += Number(on) / 1e6;
      waited += Number(queued) / 1e6;
    }
  } catch {
    return undefined;
  }
  return { ran, waited };
}
