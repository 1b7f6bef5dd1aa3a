import { Registry } from "prom-client";
import { SchemaError } from "#database/schema/error.ts";
import { refuseOtherVersion } from "#database/schema/version.ts";
import { queueSchema } from "#database/work/queue-schema.ts";
import { requestWork } from "#database/work/queue-state.ts";
import { asSentence, CatalogueError } from "#domain/errors/catalogue-error.ts";
import { serviceErrors } from "#domain/errors/service/automation.ts";
import { openDatabase } from "./database.ts";
import { type EngineVariables, engineVersion } from "./engine/command-line.ts";
import { ailmentsOf } from "./health/ailments.ts";
import { queueMetrics } from "./health/queue-metrics.ts";
import { serveHealth } from "./health/server.ts";
import { taskMetrics } from "./health/task-metrics.ts";
import type { Log } from "./log.ts";
import type { Settings } from "./settings.ts";
import { reasonOf } from "./task.ts";
import { CRONTAB, tasksOf } from "./tasks.ts";
import { startWorker } from "./worker/worker.ts";

export interface Service {
  healthUrl: string;
  ended: Promise<void>;
  /** Stops all parts after running tasks have ended. Can be called again. */
  stop(): Promise<void>;
}

/** Starts the service. Stops started parts if a later one fails. @throws Error with one sentence */
export async function startService(settings: Settings, log: Log): Promise<Service> {
  const { ENVIRONMENT: environment, DATABASE_URL: url, CONCURRENCY: concurrency } = settings;
  const endings: (() => Promise<void>)[] = [];
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= (async () => {
      for (const end of endings.toReversed()) {
        await end().catch((error: unknown) => log("warn", "end_failed", { cause: String(error) }));
      }
    })();
    return stopping;
  };
  try {
    if (settings.ENGINE !== undefined)
      log("info", "engine", { version: await readEngineVersion(settings.ENGINE.variables) });
    const database = openDatabase(url, concurrency + settings.ENGINE_CONCURRENCY);
    endings.push(() => database.close());
    await refuseOtherVersion(database.pool, "service").catch((error: unknown) => {
      // If the database cannot be read, the start of the worker reports it.
      if (error instanceof SchemaError) throw error;
    });
    const schema = queueSchema(environment);
    const { short, operations } = tasksOf(settings);
    const names = [...short, ...operations].map(({ name }) => name);
    const registry = new Registry();
    registry.setDefaultLabels({ environment });
    queueMetrics(registry, database.db, schema, names);
    const metrics = taskMetrics(registry, names);
    const shared = { url, database, schema, metrics, log };
    const worker = await startWorker({ ...shared, tasks: short, crontab: CRONTAB, concurrency });
    endings.push(() => worker.stop());
    const runs = settings.ENGINE_CONCURRENCY;
    const operator = await startWorker({ ...shared, tasks: operations, crontab: "", concurrency: runs });
    endings.push(() => operator.stop());
    // This release has its own Worker; and the account is counted before the first scheduled time.
    for (const task of settings.ENGINE === undefined ? [] : ["keep_bundle", "count_capacity"]) {
      await requestWork(database.db, schema, { task, payload: {}, key: task, queue: task });
    }
    const health = await serveHealth({
      host: settings.HEALTH_HOST,
      port: settings.HEALTH_PORT,
      registry,
      ailments: () => ailmentsOf(database.db, [worker.isAlive, operator.isAlive]),
    });
    endings.push(() => health.stop());
    return { healthUrl: health.url, ended: Promise.race([worker.ended, operator.ended]), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function readEngineVersion(variables: EngineVariables): Promise<string> {
  try {
    return await engineVersion(variables);
  } catch (error) {
    throw new CatalogueError(serviceErrors.engine_not_available, { fault: asSentence(reasonOf(error)) });
  }
}
