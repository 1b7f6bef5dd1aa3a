import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { type CreditPool, creditStates } from "#domain/billing/credit-state.ts";
import { type Environment, environments } from "#domain/environment.ts";
import type { DB } from "../types.ts";

export interface PoolOfClient extends CreditPool {
  clientId: string;
  slug: string;
  name: string;
  environment: Environment;
  purchasedMicros: bigint;
  consumedMicros: bigint;
  stateSince: Date;
  version: number;
  instance: { id: string; generation: string } | undefined;
  isToBeDeleted: boolean;
}

/** Returns a client's credit pool; undefined before the first purchase or use. */
export async function readPool(db: Kysely<DB>, clientId: string): Promise<PoolOfClient | undefined> {
  const row = await db
    .selectFrom("tenantry.credit_pools as p")
    .innerJoin("tenantry.clients as c", "c.id", "p.client_id")
    .leftJoin("tenantry.instances as i", "i.client_id", "c.id")
    .leftJoin("tenantry.jobs as j", "j.id", "p.final_backup_job")
    .selectAll("p")
    .select(["c.slug", "c.name", "c.environment", "c.delete_after", "i.id as instance_id", "i.generation"])
    .select("j.status as backup_status")
    .where("p.client_id", "=", clientId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const [purchasedMicros, consumedMicros] = [BigInt(row.lifetime_purchased), BigInt(row.lifetime_consumed)];
  return {
    clientId,
    slug: row.slug,
    name: row.name,
    environment: z.enum(environments).parse(row.environment),
    prepaid: row.prepaid,
    purchasedMicros,
    consumedMicros,
    balanceMicros: purchasedMicros - consumedMicros,
    warnBelowMicros: BigInt(row.warn_below_micros),
    state: z.enum(creditStates).parse(row.state),
    stateSince: row.state_since,
    deadline: row.state_deadline ?? undefined,
    deleteWhenExhausted: row.delete_when_exhausted,
    deletionRequested: row.deletion_requested_at !== null,
    backedUp: row.instance_id === null || row.backup_status === "succeeded",
    version: row.version,
    instance:
      row.instance_id === null || row.generation === null
        ? undefined
        : { id: row.instance_id, generation: row.generation },
    isToBeDeleted: row.delete_after !== null,
  };
}

/** Orders changes of a client's usage, credit and invoices: creates missing pools and locks them until the transaction ends, in order of their ids to prevent deadlocks. */
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
