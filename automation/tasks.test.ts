import { parseCrontab } from "graphile-worker";
import { expect, test } from "vitest";
import { CRONTAB } from "./tasks.ts";

test("of what asks all tenants one runs at a time, and the next waits for it", () => {
  const items = parseCrontab(CRONTAB);
  for (const task of ["poll_health", "read_versions", "count_capacity", "reconcile_all", "rollouts"]) {
    const options = items.find((item) => item.task === task)?.options;
    // A job whose key is that of one under way begins beside it, unless both are of a queue.
    expect([task, options?.jobKey, options?.queueName]).toEqual([task, task, task]);
  }
});
