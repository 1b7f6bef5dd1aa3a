import { type Kysely, sql } from "kysely";
import * as z from "zod";
import type { PoolEntry } from "#domain/ai-gateways/gateway-selection.ts";
import { type Environment, environments } from "#domain/environment.ts";
import { type Plan, plans } from "#domain/plans/plan.ts";
import { type InstanceState, instanceStates } from "#domain/tenants/instance-state.ts";
import type { DB } from "../types.ts";

export interface KnownInstance {
  id: string;
  environment: Environment;
  status: InstanceState;
  cause: string | null;
  /** Deadline of a transient status. */
  deadline: Date | null;
  /** Incremented by each operation. */
  generation: number;
  managedBy: "git" | "dashboard";
  owner: string | null;
  workerName: string;
  gateway: { id: string; poolId: string | null } | null;
  client: { id: string; slug: string; name: string; plan: Plan; deleteAfter: Date | null };
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

const row = z.object({
  environment: z.enum(environments),
  status: z.enum(instanceStates),
  managed_by: z.enum(["git", "dashboard"]),
  billing_plan: z.enum(plans),
  generation: z.coerce.number(),
});

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
  const { environment: place, status, managed_by, billing_plan, generation } = row.parse(found);
  return {
    id: found.id,
    environment: place,
    status,
    cause: found.state_cause,
    deadline: found.state_deadline,
    generation,
    managedBy: managed_by,
    owner: found.owner,
    workerName: found.worker_name,
    gateway: found.ai_gateway_id === null ? null : { id: found.ai_gateway_id, poolId: found.ai_gateway_pool_id },
    client: {
      id: found.client_id,
      slug: found.slug,
      name: found.name,
      plan: billing_plan,
      deleteAfter: found.delete_after,
    },
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    version: found.version,
  };
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

const entry = z.object({
  id: z.uuid(),
  gateway_id: z.string(),
  environment: z.enum(environments).nullable(),
  enabled: z.boolean(),
  max_instances: z.number(),
  bound: z.coerce.number(),
});

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
