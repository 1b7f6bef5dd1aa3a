import type pg from "pg";
import { transaction } from "../../../provider/database/pool.ts";

/** Any number that nothing else locks. */
const LOCK = 7_264_910_233;

/**
 * Changes roles or rights, one change at a time: PostgreSQL refuses two at once on one object ("tuple concurrently updated"),
 * and the vendor's plugin takes a lock for the same reason.
 */
export function catalogChange(pool: pg.Pool, task: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  return transaction(pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await task(client);
  });
}
