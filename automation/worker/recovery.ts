import type { Kysely } from "kysely";
import type { DB } from "#database/types.ts";
import { findPoolsWithoutLease, lockHolders, unlockWork } from "#database/work/queue-state.ts";
import type { Log } from "../log.ts";
import { reasonOf } from "../task.ts";

const INTERVAL_MS = 5_000;

/** Returns the work of killed replicas to the queue within seconds. @returns a function that stops it */
export function startRecovery(db: Kysely<DB>, schema: string, own: string, log: Log): () => Promise<void> {
  let suspects = new Set<string>();
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
    await recover().catch((error: unknown) => log("warn", "recovery_failed", { cause: reasonOf(error) }));
    if (!isStopped)
      timer = setTimeout(() => {
        checking = check();
      }, INTERVAL_MS);
  };
  let checking = check();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await checking;
  };
}
