/** The queue's workers in this process. Several processes may work off one queue. */
import { EventEmitter } from "node:events";
import {
  Logger,
  parseCrontab,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
  type WorkerPool,
} from "graphile-worker";
import type { Database } from "../database.ts";
import type { TaskMetrics } from "../health/task-metrics.ts";
import type { Log } from "../log.ts";
import { causeOf, reasonOf, type Task, TaskError } from "../task.ts";
import { Lease } from "./lease.ts";
import { Pulse } from "./pulse.ts";
import { Recovery } from "./recovery.ts";

/** How long tasks that run may take to end when the service does, in milliseconds. */
const END_MS = 20_000;

export interface WorkerOptions {
  /** URL that `database` was opened with. */
  url: string;
  database: Database;
  /** Schema of the queue. */
  schema: string;
  tasks: readonly Task[];
  /** When tasks run by the clock, in UTC, in graphile-worker's form of a crontab. */
  crontab: string;
  concurrency: number;
  metrics: TaskMetrics;
  log: Log;
}

export interface Worker {
  pulse: Pulse;
  /** Resolves when the workers have ended: by `stop`, or for a reason that was logged. */
  ended: Promise<void>;
  /** Takes no more work, and lets what runs end; what takes too long goes back to the queue. */
  stop(): Promise<void>;
}

/** @throws Error with one sentence when the queue is not there, or of another version */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { database, schema, concurrency, log } = options;
  const events: WorkerEvents = new EventEmitter();
  const pulse = new Pulse(events, concurrency);
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
  const recovery = new Recovery(database.db, schema, poolId, log);
  const ended = runner.promise.catch((error: unknown) => log("error", "workers_ended", { cause: reasonOf(error) }));
  return {
    pulse,
    ended,
    async stop() {
      await recovery.stop();
      await end(runner, log);
      await lease?.release();
    },
  };
}

/** @param held ends what runs when others may take this process for gone */
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
      // Signals are the service's, which has more to end.
      noHandleSignals: true,
      gracefulShutdownAbortTimeout: END_MS,
      logger: new Logger(() => (level, message, meta) => {
        // Failures of tasks are logged with the tasks' own words.
        if ((level === "error" || level === "warning") && meta?.failure !== true) {
          log(level === "error" ? "error" : "warn", "queue", { message });
        }
      }),
    });
  } catch (error) {
    throw new Error(
      `The queue of schema ${schema} cannot be worked off: ${reasonOf(error)}. Check DATABASE_URL, and run \`pulumi up\` of the platform's stack with this release: it installs the queue.`,
    );
  }
}

async function end(runner: Runner, log: Log): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), END_MS);
  });
  const stopped = runner.stop().catch(() => undefined);
  if ((await Promise.race([stopped, late])) === "late") {
    log("warn", "tasks_cut_short");
    await runner.kill("the service ends").catch(() => undefined);
  }
  clearTimeout(timer);
}

function taskList({ tasks, database, metrics, log }: WorkerOptions, held: () => AbortSignal | undefined): TaskList {
  const listed = tasks.map((task): [string, TaskList[string]] => [
    task.name,
    async (payload, { job, abortSignal }) => {
      const { attempts: attempt, max_attempts } = job;
      const isLast = attempt >= max_attempts;
      const ending = metrics.begin(task.name);
      try {
        const signal = AbortSignal.any([abortSignal, held()].filter((one) => one !== undefined));
        await task.run(payload, { db: database.db, log, signal, attempt, isLast });
        ending("success");
      } catch (error) {
        const cause = causeOf(error, log);
        ending(isLast ? "exhausted" : "failure");
        log(isLast ? "error" : "warn", "task_failed", { task: task.name, job: job.id, attempt, isLast, cause });
        // The queue keeps and prints what it is given.
        throw new TaskError(cause);
      }
    },
  ]);
  return Object.fromEntries(listed);
}
