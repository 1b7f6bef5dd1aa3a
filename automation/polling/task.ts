import * as z from "zod";
import { dropOldHealth } from "#database/health/history.ts";
import type { Environment } from "#domain/environment.ts";
import type { DispatchWorker } from "../outside/dispatch-worker.ts";
import { defineTask, type Task } from "../task.ts";
import { pollHealth } from "./poll.ts";
import { pollProviderKeys } from "./provider-keys.ts";

const LIMITS = { jitterMs: 20_000, concurrency: 20, timeoutMs: 10_000 };
const HISTORY_DAYS = 30;

export function pollHealthTask(environment: Environment, dispatch: DispatchWorker): Task {
  return defineTask("poll_health", z.unknown(), async (_payload, { db, log, signal }) => {
    const round = await pollHealth(db, { environment, dispatch, ...LIMITS, signal });
    log("info", "health_polled", { ...round });
    const { timeoutMs } = LIMITS;
    const keys = await pollProviderKeys(db, { environment, dispatch, timeoutMs, signal });
    if (keys.unreadable > 0) log("warn", "provider_keys_not_read", { ...keys });
  });
}

/** Deletes old health history by the day. */
export const pruneHealthTask: Task = defineTask("prune_health", z.unknown(), async (_payload, { db, log }) => {
  log("info", "health_pruned", { days: await dropOldHealth(db, HISTORY_DAYS) });
});
