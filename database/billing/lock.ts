/** Lock that orders changes of a client's usage, credit and invoices: its credit pool's row, locked before reading. */
import { sql, type Transaction } from "kysely";
import type { DB } from "../types.ts";

/** Creates missing pools and locks them until the transaction ends, in order of their ids to prevent deadlocks. */
export async function lockCredit(tx: Transaction<DB>, clientIds: readonly string[]): Promise<void> {
  if (clientIds.length === 0) return;
  const ids = [...new Set(clientIds)].toSorted();
  await sql`
    insert into tenantry.credit_pools (client_id)
    select id from unnest(${ids}::uuid[]) id order by id
    on conflict (client_id) do nothing`.execute(tx);
  await sql`
    select from tenantry.credit_pools where client_id = any (${ids}::uuid[]) order by client_id for update`.execute(tx);
}
