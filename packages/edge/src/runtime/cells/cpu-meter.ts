import { readdirSync, readFileSync } from "node:fs";

export interface CpuReading {
  /** Milliseconds that all threads have run. */
  ran: number;
  /** Milliseconds that they waited for a processor. */
  waited: number;
}

/** Reads the CPU time of a process from the counters of Linux's scheduler. @returns undefined without the process or the counters */
export function readCpu(pid: number): CpuReading | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).flatMap((thread) => readThread(pid, thread) ?? []);
    if (threads.length === 0) return undefined;
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    return { ran: sum(threads.map(({ ran }) => ran)), waited: sum(threads.map(({ waited }) => waited)) };
  } catch {
    return undefined;
  }
}

/** A thread may end between listing and reading it. */
function readThread(pid: number, thread: string): CpuReading | undefined {
  try {
    const [running, queued] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
    return { ran: Number(running) / 1e6, waited: Number(queued) / 1e6 };
  } catch {
    return undefined;
  }
}
