import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { type Manager, managers } from "#domain/entities/entity.ts";
import { type Plan, plans } from "#domain/plans/plan.ts";
import { type InstanceState, instanceStates } from "#domain/tenants/instance-state.ts";
import type { DB } from "../types.ts";
import { isLate } from "../work/jobs.ts";

export interface KnownTenant {
  clientId: string;
  slug: string;
  managedBy: Manager;
  owner: string | null;
  plan: Plan;
  instance: {
    id: string;
    managedBy: Manager;
    status: InstanceState;
    /** Whether its transient status is within its deadline. */
    underWay: boolean;
    changedAt: Date;
    owner: string | null;
    gatewayId: string | null;
    tokenVersion: number;
    /** Latest successful liveness probe; null for none within a day. */
    lastAlive: Date | null;
  } | null;
}

const managedBy = z.enum(managers);
const row = z.object({
  client_id: z.string(),
  slug: z.string(),
  client_managed_by: managedBy,
  client_owner: z.string().nullable(),
  billing_plan: z.enum(plans),
  instance_id: z.string().nullable(),
  managed_by: managedBy.nullable(),
  status: z.enum(instanceStates).nullable(),
  owner: z.string().nullable(),
  ai_gateway_id: z.string().nullable(),
  token_version: z.number().nullable(),
  under_way: z.boolean().nullable(),
  changed_at: z.date().nullable(),
  last_alive: z.date().nullable(),
});

/** Returns the environment's clients by slug, deleted ones included while their row exists. @param slugs default: all */
export async function knownTenants(db: Kysely<DB>, slugs?: readonly string[]): Promise<KnownTenant[]> {
  let query = db
    .selectFrom("tenantry.clients as c")
    .leftJoin("tenantry.instances as i", "i.client_id", "c.id")
    .select(["c.id as client_id", "c.slug", "c.managed_by as client_managed_by", "c.owner as client_owner"])
    .select(["c.billing_plan", "i.id as instance_id", "i.managed_by", "i.status", "i.owner"])
    .select(["i.ai_gateway_id", "i.token_version", "i.updated_at as changed_at"])
    .select([
      sql<boolean | null>`i.state_deadline > now()`.as("under_way"),
      sql<Date | null>`(
        select max(s.inserted_at) from tenantry.instance_health_snapshots s
        where s.instance_id = i.id and s.liveness_ok and s.inserted_at > now() - interval '1 day')`.as("last_alive"),
    ])
    .orderBy("c.slug");
  if (slugs !== undefined) query = query.where("c.slug", "in", [...slugs]);
  const rows = z.array(row).parse(await query.execute());
  return rows.map((one) => ({
    clientId: one.client_id,
    slug: one.slug,
    managedBy: one.client_managed_by,
    owner: one.client_owner,
    plan: one.billing_plan,
    instance:
      one.instance_id === null
        ? null
        : {
            id: one.instance_id,
            managedBy: one.managed_by ?? "git",
            status: one.status ?? "error",
            underWay: one.under_way ?? false,
            changedAt: one.changed_at ?? new Date(0),
            owner: one.owner,
            gatewayId: one.ai_gateway_id,
            tokenVersion: one.token_version ?? 1,
            lastAlive: one.last_alive,
          },
  }));
}

export interface OpenJob {
  id: string;
  kind: string;
  slug: string;
  deadline: Date;
  late: boolean;
}

/** Returns open operations, also of deleted tenants. @param slugs default: all */
export async function openJobs(db: Kysely<DB>, slugs?: readonly string[]): Promise<OpenJob[]> {
  let query = db
    .selectFrom("tenantry.jobs")
    .select(["id", "kind", "slug", "deadline", isLate.as("late")])
    .where("ended_at", "is", null)
    .orderBy("deadline");
  if (slugs !== undefined) query = query.where("slug", "in", [...slugs]);
  return query.execute();
}
