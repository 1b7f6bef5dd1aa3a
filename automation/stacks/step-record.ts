/** What is told of a job while the engine runs, written in the order in which it happened. */
import { hostname } from "node:os";
import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import { type Job, noteJob, noteStep } from "#database/work/jobs.ts";
import type { Step } from "../engine/run/steps.ts";

/** What is done is told of as whole only when the job is. */
const MOST_PERCENT = 99;

export class StepRecord {
  readonly #db: Kysely<DB>;
  readonly #job: Job;
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Kysely<DB>, job: Job) {
    this.#db = db;
    this.#job = job;
  }

  step({ phase, done, total, type, name, operation, milliseconds }: Step): void {
    const progress = Math.min(MOST_PERCENT, Math.floor((100 * done) / Math.max(1, total)));
    const data = { phase, resource: name, type, operation, milliseconds };
    const message = `${operation} ${type} ${name}: ${phase}${phase === "begun" ? "" : ` in ${milliseconds} ms`}`;
    this.#then(() => noteStep(this.#db, this.#job, { message, data, progress }));
  }

  /** Tells which process of this host holds the stack's lock from now on. */
  engine(pid: number): void {
    const host = hostname();
    const message = `The engine works as process ${pid} of ${host}.`;
    this.#then(() => noteJob(this.#db, this.#job.id, "engine", message, { host, pid }));
  }

  note(message: string): void {
    this.#then(() => noteJob(this.#db, this.#job.id, "recovered", message));
  }

  /** Resolves when all is written. @throws what the database refused first */
  written(): Promise<void> {
    return this.#writing;
  }

  #then(write: () => Promise<void>): void {
    this.#writing = this.#writing.then(write);
    // Whoever waits for the end hears of it.
    this.#writing.catch(() => undefined);
  }
}
