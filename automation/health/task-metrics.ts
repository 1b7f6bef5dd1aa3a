/** What became of the tasks that this process ran. */
import { Counter, Histogram, type Registry } from "prom-client";

export type TaskOutcome = "success" | "failure" | "exhausted";

export interface TaskMetrics {
  /** @returns what is told how the run ended */
  begin(task: string): (outcome: TaskOutcome) => void;
}

/** Adds the metrics of tasks to a registry. `failure`: it is tried again; `exhausted`: it is not. */
export function taskMetrics(registry: Registry, tasks: readonly string[]): TaskMetrics {
  const runs = new Counter({
    name: "tenantry_task_runs_total",
    help: "Runs of tasks by this process that have ended",
    labelNames: ["task", "outcome"] as const,
    registers: [registry],
  });
  const duration = new Histogram({
    name: "tenantry_task_duration_seconds",
    help: "How long runs of tasks took",
    labelNames: ["task"] as const,
    buckets: [0.05, 0.25, 1, 5, 15, 60],
    registers: [registry],
  });
  // What has not happened yet is nought, and not unknown: a first failure is then an increase.
  for (const task of tasks) {
    for (const outcome of ["success", "failure", "exhausted"] as const) runs.inc({ task, outcome }, 0);
  }
  return {
    begin(task) {
      const timed = duration.startTimer({ task });
      return (outcome) => {
        timed();
        runs.inc({ task, outcome });
      };
    },
  };
}
