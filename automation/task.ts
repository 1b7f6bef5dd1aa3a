/** What the queue gives the service to do. */
import type { Kysely } from "kysely";
import * as z from "zod";
import type { DB } from "../database/types.ts";
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

/** One sentence for whatever a task failed with. */
export function causeOf(error: unknown): string {
  if (error instanceof z.ZodError) return `What the queue holds of it does not fit: ${z.prettifyError(error)}`;
  return withoutAddresses(error instanceof Error ? error.message || error.name : String(error));
}
