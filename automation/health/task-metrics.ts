import { Counter, Histogram, type Registry } from "prom-client";

/** `failure`: it is retried. `exhausted`: it is not. */
const outcomes = ["success", "failure", "exhausted"] as const;

/** Starts the timer of a task's run. @returns a function that records the outcome */
export type TaskMetrics = (task: string) => (outcome: (typeof outcomes)[number]) => void;

export function taskMetrics(registry: Registry, tasks: readonly string[]): TaskMetrics {
  const runs = new Counter({
    name: "tenantry_task_runs_total",
    help: "Runs of tasks by this process that have ended",
    labelNames: ["task", "outcome"] as const,
    registers: [registry],
  });
  const duration = new Histogram({
    name: "tenantry_task_duration_seconds",
    help: "Duration of runs of tasks",
    labelNames: ["task"] as const,
    buckets: [0.05, 0.25, 1, 5, 15, 60],
    registers: [registry],
  });
  // Zero instead of unknown, so that a first failure is an increase.
  for (const task of tasks) for (const outcome of outcomes) runs.inc({ task, outcome }, 0);
  return (task) => {
    const stopTimer = duration.startTimer({ task });
    return (outcome) => {
      stopTimer();
      runs.inc({ task, outcome });
    };
  };
}
