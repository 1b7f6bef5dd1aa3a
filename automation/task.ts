/** What the queue gives the service to do. */
import type { Kysely } from "kysely";
import * as z from "zod";
import { explainDatabaseError } from "#database/errors/database-fault.ts";
import type { DB } from "#database/types.ts";
import { type Log, withoutAddresses } from "./log.ts";

/** One run of a task. */
export interface Run {
  db: Kysely<DB>;
  log: Log;
  /** Aborted when the service ends and can wait no longer; of a job, at its deadline too. */
  signal: AbortSignal;
  /** 1 for the first. */
  attempt: number;
  /** Whether no other attempt follows. */
  isLast: boolean;
}

/** A kind of work, under the name by which it is queued. */
export interface Task {
  readonly name: string;
  /** @throws whatever it fails with; the queue tries again */
  run(payload: unknown, run: Run): Promise<void>;
}

/** Why a task failed: a sentence that may be shown, logged and kept, without addresses or secrets. */
export class TaskError extends Error {
  override name = "TaskError";
}

/** A task whose payload is checked before it runs. */
export function task<P>(name: string, payload: z.ZodType<P>, run: (payload: P, run: Run) => Promise<void>): Task {
  return { name, run: async (given, call) => run(payload.parse(given), call) };
}

/** Why a task failed, as people are told: of the database's own words they get an ID, under which the log has them. */
export function causeOf(error: unknown, log: Log): string {
  const explained = explainDatabaseError(error);
  if (explained === undefined) return reasonOf(error);
  const { message, id, detail } = explained;
  if (id !== undefined) log("error", "database_error", { id, detail });
  return message;
}

/** Why a task failed, for the log alone. */
export function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) return `The queued payload is not valid: ${z.prettifyError(error)}`;
  return withoutAddresses(error instanceof Error ? error.message || error.name : String(error));
}
