import { parseCrontab } from "graphile-worker";
import { expect, test } from "vitest";
import { CRONTAB } from "./tasks.ts";

test("runs of tasks that call all tenants do not overlap", () => {
  const items = parseCrontab(CRONTAB);
  for (const task of ["poll_health", "read_versions", "count_capacity", "reconcile_all", "rollouts"]) {
    const options = items.find((item) => item.task === task)?.options;
    // A job with the key of a running job starts concurrently, unless both have a queue.
    expect([task, options?.jobKey, options?.queueName]).toEqual([task, task, task]);
  }
});
