/** Processor time of all workerd processes that this process has started. */
import { readdirSync, readFileSync } from "node:fs";
import { readCpu } from "@tenantry/edge/workerd";

/** @returns microseconds since their start @throws Error when there are none, or the system does not report it */
export function workerdCpu(): number {
  const readings = workerdProcesses().map((pid) => readCpu(pid)?.ran);
  const known = readings.filter((ran) => ran !== undefined);
  if (known.length === 0) throw new Error("No workerd runs, or this system has no /proc/PID/schedstat.");
  return known.reduce((sum, ran) => sum + ran, 0) * 1_000;
}

function workerdProcesses(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [, name, , parent] = /^\d+ \((.*)\) (\S) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
        return name === "workerd" && Number(parent) === process.pid;
      } catch {
        return false;
      }
    });
}
