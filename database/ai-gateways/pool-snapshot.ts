import { type Kysely, sql } from "kysely";
import * as z from "zod";
import type { PoolEntry } from "#domain/ai-gateways/gateway-selection.ts";
import { type Environment, environments } from "#domain/environment.ts";
import { ownerOf } from "../not-migrated.ts";
import type { DB } from "../types.ts";

const nullableEnvironment = z.enum(environments).nullable();

export interface PoolSnapshot {
  pool: (PoolEntry & {
    rowId: string;
    /** URN of the stack's resource; undefined for the dashboard's entries. */
    owner: string | undefined;
    /** Environment of the declaring stack; the requested one if the database does not store it. */
    declaredBy: Environment;
  })[];
  bindings: Map<string, { gatewayId: string; pooled: boolean; clientId: string; isDeployed: boolean }>;
}

/** Reads pool and bindings in one statement, so that they are consistent. */
export async function readPoolSnapshot(db: Kysely<DB>, environment: Environment): Promise<PoolSnapshot> {
  const rows = await db
    .selectFrom("tenantry.ai_gateways as g")
    .fullJoin("tenantry.instances as i", "i.ai_gateway_pool_id", "g.id")
    .leftJoin("tenantry.clients as c", "c.id", "i.client_id")
    .select(["g.id", "g.gateway_id", "g.environment", "g.enabled", "g.max_instances"])
    .select(["i.environment as bound_by", "c.slug", "i.client_id", "i.ai_gateway_id", "i.ai_gateway_pool_id"])
    .select("i.access_aud")
    // A run reads before its migrations, so the column may be missing.
    .select(sql<string | null>`to_jsonb(g) ->> 'declared_by'`.as("declared_by"))
    .select(sql<string | null>`to_jsonb(i) ->> 'held_pool_id'`.as("held_pool_id"))
    .select(ownerOf("g"))
    .orderBy("g.gateway_id")
    .orderBy("c.slug")
    .execute();
  const entries = new Map<string, PoolSnapshot["pool"][number] & { bound: number }>();
  const bindings: PoolSnapshot["bindings"] = new Map();
  // Slots of earlier gateways that instances hold until they run with another one.
  const held = rows.filter(({ held_pool_id, ai_gateway_pool_id }) => held_pool_id !== ai_gateway_pool_id);
  for (const row of rows) {
    if (row.id !== null && row.gateway_id !== null && row.enabled !== null && row.max_instances !== null) {
      const entry = entries.get(row.gateway_id) ?? {
        rowId: row.id,
        owner: row.owner ?? undefined,
        gatewayId: row.gateway_id,
        environment: nullableEnvironment.parse(row.environment) ?? undefined,
        declaredBy: nullableEnvironment.parse(row.declared_by) ?? environment,
        enabled: row.enabled,
        maxInstances: row.max_instances,
        bound: held.filter(({ held_pool_id }) => held_pool_id === row.id).length,
      };
      if (row.slug !== null) entry.bound += 1;
      entries.set(entry.gatewayId, entry);
    }
    const { slug, client_id: clientId, ai_gateway_id: gatewayId } = row;
    if (slug !== null && clientId !== null && gatewayId !== null && row.bound_by === environment) {
      const isDeployed = row.access_aud !== null;
      bindings.set(slug, { gatewayId, pooled: row.ai_gateway_pool_id !== null, clientId, isDeployed });
    }
  }
  return { pool: [...entries.values()], bindings };
}
