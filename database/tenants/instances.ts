import { type Kysely, sql } from "kysely";
import * as z from "zod";
import type { PoolEntry } from "#domain/ai-gateways/gateway-selection.ts";
import { aiGateway } from "#domain/entities/ai-gateway.ts";
import { instant, named, rowOf } from "#domain/entities/entity.ts";
import { instance } from "#domain/entities/instance.ts";
import type { Environment } from "#domain/environment.ts";
import type { DB } from "../types.ts";

const row = rowOf(
  instance.omit({ job: true, runs: true }).extend({
    client: named.extend({ delete_after: instant.nullable() }),
    /** The stack that has it, as a URN; null for none. */
    owner: z.string().nullable(),
  }),
);
export type KnownInstance = z.infer<typeof row>;

export async function findInstance(
  db: Kysely<DB>,
  environment: Environment,
  where: { id: string } | { clientId: string },
): Promise<KnownInstance | undefined> {
  const found = await db
    .selectFrom("tenantry.instances as i")
    .innerJoin("tenantry.clients as c", "c.id", "i.client_id")
    .select(["i.id", "i.environment", "i.status", "i.state_cause", "i.state_deadline", "i.generation"])
    .select(["i.managed_by", "i.owner", "i.worker_name", "i.ai_gateway_id", "i.ai_gateway_pool_id"])
    .select(["i.created_at", "i.updated_at", "i.version"])
    .select(["c.id as client_id", "c.slug", "c.name", "c.billing_plan", "c.delete_after"])
    .where("i.environment", "=", environment)
    .where("id" in where ? "i.id" : "i.client_id", "=", "id" in where ? where.id : where.clientId)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { ai_gateway_id, ai_gateway_pool_id, client_id, slug, name, delete_after, ...rest } = found;
  return row.parse({
    ...rest,
    ai_gateway: ai_gateway_id === null ? null : { id: ai_gateway_id, pool_id: ai_gateway_pool_id },
    client: { id: client_id, slug, name, delete_after },
  });
}

export async function lockInstance(db: Kysely<DB>, id: string): Promise<void> {
  await db.selectFrom("tenantry.instances").select("id").where("id", "=", id).forUpdate().execute();
}

export async function tokenVersionOf(db: Kysely<DB>, id: string): Promise<number> {
  const { token_version } = await db
    .selectFrom("tenantry.instances")
    .select("token_version")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return token_version;
}

const entry = rowOf(
  aiGateway.pick({ id: true, gateway_id: true, environment: true, enabled: true, max_instances: true, bound: true }),
);

/** Returns the pool for callers without the right to read its table. */
export async function poolEntries(db: Kysely<DB>): Promise<(PoolEntry & { id: string })[]> {
  const { rows } = await sql`select * from tenantry.pool_entries()`.execute(db);
  return z
    .array(entry)
    .parse(rows)
    .map(({ id, gateway_id, environment, enabled, max_instances, bound }) => ({
      id,
      gatewayId: gateway_id,
      environment: environment ?? undefined,
      enabled,
      maxInstances: max_instances,
      bound,
    }));
}

/** Returns the pool after waiting for concurrent plans to bind, so that two plans cannot use the last slot. */
export async function planningPool(db: Kysely<DB>): Promise<(PoolEntry & { id: string })[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended('tenantry.pool_entries', 0))`.execute(db);
  return poolEntries(db);
}
