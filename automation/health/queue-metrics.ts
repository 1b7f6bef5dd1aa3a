/** What the queue holds, read whenever the metrics are. */
import type { Kysely } from "kysely";
import { Gauge, type Registry } from "prom-client";
import type { DB } from "#database/types.ts";
import { readQueueState } from "#database/work/queue-state.ts";

const STATES = ["ready", "scheduled", "running", "failed"] as const;

/** Adds the metrics of a queue to a registry. */
export function queueMetrics(registry: Registry, db: Kysely<DB>, schema: string, tasks: readonly string[]): void {
  const read = async () => {
    const held = await readQueueState(db, schema);
    const names = new Set([...tasks, ...held.map(({ task }) => task)]);
    return [...names].map((task) => ({ task, state: held.find((one) => one.task === task) }));
  };
  let reading: ReturnType<typeof read> | undefined;
  // Both metrics are collected at once, from one look.
  const shared = () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  new Gauge({
    name: "tenantry_queue_jobs",
    help: "Jobs in the queue; failed ones are never tried again",
    labelNames: ["task", "state"] as const,
    registers: [registry],
    async collect() {
      const held = await shared();
      this.reset();
      for (const { task, state } of held)
        for (const name of STATES) this.set({ task, state: name }, state?.[name] ?? 0);
    },
  });
  new Gauge({
    name: "tenantry_queue_oldest_ready_seconds",
    help: "For how long the oldest job of a task has been to be run; 0 when none is",
    labelNames: ["task"] as const,
    registers: [registry],
    async collect() {
      const held = await shared();
      this.reset();
      for (const { task, state } of held) this.set({ task }, state?.oldestReadySeconds ?? 0);
    },
  });
}
