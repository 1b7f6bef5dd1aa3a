import type { Kysely } from "kysely";
import * as z from "zod";
import { explainDatabaseError } from "#database/errors/database-fault.ts";
import type { DB } from "#database/types.ts";
import { type Log, withoutAddresses } from "./log.ts";

export interface Run {
  db: Kysely<DB>;
  log: Log;
  /** Aborted when the service ends; for a job, also at its deadline. */
  signal: AbortSignal;
  attempt: number;
  isLast: boolean;
}

export interface Task {
  readonly name: string;
  /** @throws any error; the queue retries */
  run(payload: unknown, run: Run): Promise<void>;
}

/** Carries a sentence without addresses and secrets that may be shown, logged and stored. */
export class TaskError extends Error {
  override name = "TaskError";
}

/** Creates a task that validates its payload. */
export function defineTask<P>(name: string, payload: z.ZodType<P>, run: (payload: P, run: Run) => Promise<void>): Task {
  return { name, run: async (given, call) => run(payload.parse(given), call) };
}

/** Returns why a task failed. Logs the database's own message and returns its ID instead. */
export function causeOf(error: unknown, log: Log): string {
  const explained = explainDatabaseError(error);
  if (explained === undefined) return reasonOf(error);
  const { message, id, detail } = explained;
  if (id !== undefined) log("error", "database_error", { id, detail });
  return message;
}

/** Returns why a task failed, for the log only. */
export function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return `The queued payload is invalid: ${z.prettifyError(error)}`;
  return withoutAddresses(error instanceof Error ? error.message || error.name : String(error));
}
