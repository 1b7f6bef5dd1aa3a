/** Looks at every tenant's health each minute, by the dispatch Worker. */
import * as z from "zod";
import { dropOldHealth } from "#database/health/history.ts";
import type { Environment } from "#domain/environment.ts";
import type { DispatchWorker } from "../outside/dispatch-worker.ts";
import { type Task, task } from "../task.ts";
import { pollHealth } from "./poll.ts";

const SPREAD_MS = 20_000;
const AT_ONCE = 20;
const LOOK_MS = 10_000;
const HISTORY_DAYS = 30;

export function pollHealthTask(environment: Environment, dispatch: DispatchWorker): Task {
  return task("poll_health", z.unknown(), async (_payload, { db, log, signal }) => {
    const round = await pollHealth(db, {
      environment,
      looks: dispatch,
      jitterMs: SPREAD_MS,
      concurrency: AT_ONCE,
      timeoutMs: LOOK_MS,
      signal,
    });
    log("info", "health_polled", { ...round });
  });
}

/** Lets go of health history that is too old, a day at a time. */
export const pruneHealthTask: Task = task("prune_health", z.unknown(), async (_payload, { db, log }) => {
  log("info", "health_pruned", { days: await dropOldHealth(db, HISTORY_DAYS) });
});
