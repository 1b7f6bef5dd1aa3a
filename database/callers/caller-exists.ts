import { type Kysely, sql } from "kysely";
import type { DB } from "../types.ts";

/** Whether the caller of this transaction still exists; a removed one sees no rows. */
export async function callerExists(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ still: boolean }>`
    select tenantry.sees_all() or tenantry.caller_partner() is not null or tenantry.caller_client() is not null as still`.execute(
    db,
  );
  return rows[0]?.still === true;
}
