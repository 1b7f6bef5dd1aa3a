import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import { findPoolsWithoutLease, lockedJobs, lockHolders, returnJobs, unlockWork } from "#database/work/queue-state.ts";
import type { Log } from "../log.ts";
import { reasonOf } from "../task.ts";

const INTERVAL_MS = 5_000;

export interface RecoveryOptions {
  db: Kysely<DB>;
  schema: string;
  /** Id of this process's workers. */
  pool: string;
  /** Ids of the jobs that they run. */
  running: ReadonlySet<string>;
  /** Time between two checks. */
  intervalMs?: number;
  log: Log;
}

/**
 * Returns to the queue within seconds the work of killed replicas, and the jobs that this one has locked but not received, because the
 * connection was lost before the answer. @returns a function that stops it
 */
export function startRecovery({
  db,
  schema,
  pool: own,
  running,
  intervalMs = INTERVAL_MS,
  log,
}: RecoveryOptions): () => Promise<void> {
  let suspects = new Set<string>();
  let unreceived = new Set<string>();
  // An answer that is under way arrives before the second check.
  const recoverOwn = async () => {
    const locked = (await lockedJobs(db, schema, own)).filter(({ id }) => !running.has(id));
    const lost = locked.filter(({ lock }) => unreceived.has(lock)).map(({ id }) => id);
    unreceived = new Set(locked.map(({ lock }) => lock));
    if (lost.length === 0) return;
    await returnJobs(db, schema, own, lost);
    log("warn", "work_returned", { jobs: lost.length });
  };
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  // A replica without a lease at two checks is dead: one that starts or reconnects has it by the second.
  const recover = async () => {
    const holders = (await lockHolders(db, schema)).filter((id) => id !== own);
    const withoutLeases = holders.length === 0 ? [] : await findPoolsWithoutLease(db, holders);
    const dead = withoutLeases.filter((id) => suspects.has(id));
    suspects = new Set(withoutLeases);
    if (dead.length === 0) return;
    await unlockWork(db, schema, dead);
    log("warn", "work_recovered", { replicas: dead.length });
  };
  const check = async (): Promise<void> => {
    await Promise.all([recover(), recoverOwn()]).catch((error: unknown) =>
      log("warn", "recovery_failed", { cause: reasonOf(error) }),
    );
    if (!isStopped)
      timer = setTimeout(() => {
        checking = check();
      }, intervalMs);
  };
  let checking = check();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await checking;
  };
}
