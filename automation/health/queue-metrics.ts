import type { Kysely } from "kysely";
import { Gauge, type Registry } from "prom-client";
import type { DB } from "#database/types.ts";
import { readQueueState } from "#database/work/queue-state.ts";

const STATES = ["ready", "scheduled", "running", "failed"] as const;

/** Adds metrics of a queue to a registry. They are read when the registry is. */
export function queueMetrics(registry: Registry, db: Kysely<DB>, schema: string, tasks: readonly string[]): void {
  const read = async () => {
    const states = await readQueueState(db, schema);
    const names = new Set([...tasks, ...states.map(({ task }) => task)]);
    return [...names].map((task) => ({ task, state: states.find((state) => state.task === task) }));
  };
  let reading: ReturnType<typeof read> | undefined;
  // Both metrics are collected at the same time and share one query.
  const readShared = () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  new Gauge({
    name: "tenantry_queue_jobs",
    help: "Jobs in the queue; failed jobs are not retried",
    labelNames: ["task", "state"] as const,
    registers: [registry],
    async collect() {
      const queue = await readShared();
      this.reset();
      for (const { task, state } of queue)
        for (const name of STATES) this.set({ task, state: name }, state?.[name] ?? 0);
    },
  });
  new Gauge({
    name: "tenantry_queue_oldest_ready_seconds",
    help: "Age of the oldest ready job of a task; 0 if there is none",
    labelNames: ["task"] as const,
    registers: [registry],
    async collect() {
      const queue = await readShared();
      this.reset();
      for (const { task, state } of queue) this.set({ task }, state?.oldestReadySeconds ?? 0);
    },
  });
}
