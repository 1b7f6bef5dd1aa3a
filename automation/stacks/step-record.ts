import { hostname } from "node:os";
import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import { addJobEvent, addJobStep, type Job } from "#database/work/jobs.ts";
import type { RunListeners } from "../engine/runs.ts";

/** The job is complete at 100 only when it has ended. */
const MAX_PERCENT = 99;

export interface StepRecord extends Required<Pick<RunListeners, "onStep" | "onEngine" | "onRecovered">> {
  /** Waits until all is written. @throws the first error of the database */
  written(): Promise<void>;
}

/** Records the progress of a run as events of the job, in order. */
export function recordSteps(db: Kysely<DB>, job: Job): StepRecord {
  let writing: Promise<void> = Promise.resolve();
  const enqueue = (write: () => Promise<void>) => {
    writing = writing.then(write);
    // `written` throws the error.
    writing.catch(() => undefined);
  };
  return {
    onStep({ phase, done, total, type, name, operation, milliseconds }) {
      const progress = Math.min(MAX_PERCENT, Math.floor((100 * done) / Math.max(1, total)));
      const data = { phase, resource: name, type, operation, milliseconds };
      const result = phase === "begun" ? "started" : `${phase} in ${milliseconds} ms`;
      const message = `${operation} ${type} ${name}: ${result}`;
      enqueue(() => addJobStep(db, job, { message, data, progress }));
    },
    onEngine(pid) {
      const host = hostname();
      const message = `The engine runs as process ${pid} on ${host}.`;
      enqueue(() => addJobEvent(db, job.id, "engine", message, { host, pid }));
    },
    onRecovered: (message) => enqueue(() => addJobEvent(db, job.id, "recovered", message)),
    written: () => writing,
  };
}
