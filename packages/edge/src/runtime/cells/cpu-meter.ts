import { readdirSync, readFileSync } from "node:fs";

export interface CpuReading {
  /** Milliseconds that all threads have run. */
  ran: number;
  /** Milliseconds that they waited for a processor. */
  waited: number;
}

/** Reads the CPU time of a process from the counters of Linux's scheduler. @returns undefined without the process or the counters */
export function readCpu(pid: number): CpuReading | undefined {
  let ran = 0;
  let waited = 0;
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const [running = "0", queued = "0"] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
      ran += Number(running) / 1e6;
      waited += Number(queued) / 1e6;
    }
  } catch {
    return undefined;
  }
  return { ran, waited };
}
