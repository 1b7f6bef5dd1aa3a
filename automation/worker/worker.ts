/** The queue's workers in this process. Several processes may share one queue. */
import { EventEmitter } from "node:events";
import { withTimeout } from "@tenantry/std/within";
import {
  Logger,
  parseCrontab,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from "graphile-worker";
import { asSentence, CatalogueError } from "#domain/errors/catalogue-error.ts";
import { serviceErrors } from "#domain/errors/service/automation.ts";
import type { Database } from "../database.ts";
import type { TaskMetrics } from "../health/task-metrics.ts";
import type { Log } from "../log.ts";
import { causeOf, reasonOf, type Task, TaskError } from "../task.ts";
import { Lease } from "./lease.ts";
import { watchPulse } from "./pulse.ts";
import { startRecovery } from "./recovery.ts";

/** Time for running tasks to end when the service stops. */
const END_MS = 20_000;

export interface WorkerOptions {
  url: string;
  database: Database;
  schema: string;
  tasks: readonly Task[];
  /** Schedule in UTC, in graphile-worker's crontab format. */
  crontab: string;
  concurrency: number;
  metrics: TaskMetrics;
  log: Log;
}

export interface Worker {
  isAlive(): boolean;
  /** Resolves when the workers have ended: by `stop`, or for a reason that was logged. */
  ended: Promise<void>;
  /** Takes no more work and waits for running tasks; returns those that take too long to the queue. */
  stop(): Promise<void>;
}

/** @throws Error if the queue is not installed or of another version */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { database, schema, concurrency, log } = options;
  const events: WorkerEvents = new EventEmitter();
  const isAlive = watchPulse(events, concurrency);
  const running = new Set<string>();
  events.on("job:start", ({ job }) => running.add(job.id));
  events.on("job:complete", ({ job }) => running.delete(job.id));
  let poolId = "";
  let lease: Lease | undefined;
  events.on("pool:create", ({ workerPool }: { workerPool: WorkerPool }) => {
    poolId = workerPool.id;
    lease = new Lease(options.url, poolId, log);
  });
  const runner = await startRunner(options, events, () => lease?.held).catch(async (error: unknown) => {
    await lease?.release();
    throw error;
  });
  const stopRecovery = startRecovery({ db: database.db, schema, pool: poolId, running, log });
  const ended = runner.promise.catch((error: unknown) => log("error", "workers_ended", { cause: reasonOf(error) }));
  return {
    isAlive,
    ended,
    async stop() {
      await stopRecovery();
      await stopRunner(runner, log);
      await lease?.release();
    },
  };
}

/** @param held aborted when others may treat this process as dead */
async function startRunner(
  options: WorkerOptions,
  events: WorkerEvents,
  held: () => AbortSignal | undefined,
): Promise<Runner> {
  const { database, schema, concurrency, crontab, log } = options;
  try {
    return await run({
      pgPool: database.pool,
      schema,
      concurrency,
      events,
      taskList: taskList(options, held),
      parsedCronItems: parseCrontab(crontab),
      // The service handles signals.
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: END_MS,
      logger: new Logger(() => (level, message, meta) => {
        // Failed tasks are logged by `taskList`.
        if ((level === "error" || level === "warning") && meta?.failure !== true) {
          log(level === "error" ? "error" : "warn", "queue", { message });
        }
      }),
    });
  } catch (error) {
    throw new CatalogueError(serviceErrors.queue_not_available, { schema, fault: asSentence(reasonOf(error)) });
  }
}

async function stopRunner(runner: Runner, log: Log): Promise<void> {
  const stopped = runner.stop().then(
    () => true,
    () => true,
  );
  if (await withTimeout(END_MS, stopped)) return;
  log("warn", "tasks_cut_short");
  await runner.kill("the service ends").catch(() => undefined);
}

function taskList({ tasks, database, metrics, log }: WorkerOptions, held: () => AbortSignal | undefined): TaskList {
  const listed = tasks.map((task): [string, TaskList[string]] => [
    task.name,
    async (payload, { job, abortSignal }) => {
      const { attempts: attempt, max_attempts } = job;
      const isLast = attempt >= max_attempts;
      const recordOutcome = metrics(task.name);
      try {
        const signal = AbortSignal.any([abortSignal, held()].filter((one) => one !== undefined));
        await task.run(payload, { db: database.db, log, signal, attempt, isLast });
        recordOutcome("success");
      } catch (error) {
        const cause = causeOf(error, log);
        recordOutcome(isLast ? "exhausted" : "failure");
        log(isLast ? "error" : "warn", "task_failed", { task: task.name, job: job.id, attempt, isLast, cause });
        // The queue stores and prints the error's message.
        throw new TaskError({ message: cause });
      }
    },
  ]);
  return Object.fromEntries(listed);
}
