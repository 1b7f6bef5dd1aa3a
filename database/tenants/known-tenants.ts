/** What the database knows of tenants and of what is under way with them; every query is the automation service's. */
import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { type Plan, plans } from "#domain/plans/plan.ts";
import { type InstanceState, instanceStates } from "#domain/tenants/instance-state.ts";
import type { DB } from "../types.ts";
import { isLate } from "../work/jobs.ts";

export interface KnownTenant {
  clientId: string;
  slug: string;
  /** Who says what the client is. */
  managedBy: "git" | "dashboard";
  /** The stack that has the client's row, as a URN; null for none. */
  owner: string | null;
  plan: Plan;
  instance: {
    id: string;
    managedBy: "git" | "dashboard";
    status: InstanceState;
    /** Whether its transient status may still last. */
    underWay: boolean;
    /** When the row was written last. */
    changedAt: Date;
    owner: string | null;
    /** Of the AI gateway that it binds; null where it binds none. */
    gatewayId: string | null;
    tokenVersion: number;
    /** When it was looked at last and found alive; null for never. */
    lastAlive: Date | null;
  } | null;
}

const managedBy = z.enum(["git", "dashboard"]);
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

/** Every client of the environment by slug, deleted ones too while their row is there. @param slugs these alone. Default: all */
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
  /** Whether it should have ended. */
  late: boolean;
}

/** Operations that have not ended, also those of tenants that are gone. @param slugs of these alone. Default: all */
export async function openJobs(db: Kysely<DB>, slugs?: readonly string[]): Promise<OpenJob[]> {
  let query = db
    .selectFrom("tenantry.jobs")
    .select(["id", "kind", "slug", "deadline", isLate.as("late")])
    .where("ended_at", "is", null)
    .orderBy("deadline");
  if (slugs !== undefined) query = query.where("slug", "in", [...slugs]);
  return query.execute();
}
