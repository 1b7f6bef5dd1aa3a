import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { rowOf } from "#domain/entities/entity.ts";
import { incident } from "#domain/entities/incident.ts";
import type { Environment } from "#domain/environment.ts";
import { type Page, selectPage } from "../cursor.ts";
import type { DB } from "../types.ts";

const row = rowOf(
  incident.extend({
    /** `opened_at` as PostgreSQL writes it, for cursors. */
    opened_text: z.string(),
  }),
);
export type ListedIncident = z.infer<typeof row>;

const ORDER = { column: "opened_at", direction: "desc" } as const;

function selectIncidents(db: Kysely<DB>, environment: Environment) {
  return db
    .selectFrom("tenantry.incidents as n")
    .innerJoin("tenantry.clients as c", "c.id", "n.client_id")
    .select(["n.id", "n.instance_id", "n.kind", "n.cause", "n.remedy", "n.opened_at", "n.closed_at"])
    .select(["n.acknowledged_at", "n.acknowledged_by", "c.id as client_id", "c.slug"])
    .select(sql<string>`n.opened_at::text`.as("opened_text"))
    .where("n.environment", "=", environment);
}

type Selected = Awaited<ReturnType<ReturnType<typeof selectIncidents>["execute"]>>[number];

const toListed = ({ client_id, slug, acknowledged_at: at, acknowledged_by: by, ...found }: Selected): ListedIncident =>
  row.parse({ ...found, client: { id: client_id, slug }, acknowledged: at && { at, by } });

export async function findIncident(
  db: Kysely<DB>,
  environment: Environment,
  id: string,
): Promise<ListedIncident | undefined> {
  const found = await selectIncidents(db, environment).where("n.id", "=", id).executeTakeFirst();
  return found && toListed(found);
}

/** Returns a page of the incidents that the caller sees, newest first. @param options.open whether open or closed; default: both */
export async function listIncidents(
  db: Kysely<DB>,
  environment: Environment,
  options: Page & { open?: boolean | undefined; instanceId?: string | undefined },
): Promise<ListedIncident[]> {
  const { open, instanceId } = options;
  let query = selectPage(selectIncidents(db, environment), { table: "n", order: ORDER, type: "timestamptz" }, options);
  if (open !== undefined) query = query.where("n.closed_at", open ? "is" : "is not", null);
  if (instanceId !== undefined) query = query.where("n.instance_id", "=", instanceId);
  return (await query.execute()).map(toListed);
}

export async function acknowledgeIncident(db: Kysely<DB>, id: string, by: string): Promise<void> {
  await db
    .updateTable("tenantry.incidents")
    .set({ acknowledged_at: sql<Date>`now()`, acknowledged_by: by })
    .where("id", "=", id)
    .where("acknowledged_at", "is", null)
    .execute();
}

interface NewIncident {
  instanceId: string;
  kind: string;
  cause: string;
  remedy: string;
}

/** Opens an incident, unless one of its kind is open. @returns whether it was opened */
export async function openIncident(db: Kysely<DB>, { instanceId, kind, cause, remedy }: NewIncident): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into tenantry.incidents (environment, client_id, instance_id, kind, cause, remedy)
    select i.environment, i.client_id, i.id, ${kind}, ${cause}, ${remedy}
    from tenantry.instances i where i.id = ${instanceId}
    on conflict (instance_id, kind) where closed_at is null do nothing`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

export async function closeIncidents(db: Kysely<DB>, instanceId: string, kinds: readonly string[]): Promise<void> {
  await db
    .updateTable("tenantry.incidents")
    .set({ closed_at: sql<Date>`greatest(now(), opened_at)` })
    .where("instance_id", "=", instanceId)
    .where("kind", "in", kinds)
    .where("closed_at", "is", null)
    .execute();
}

/** Closes open incidents of instances that are no longer polled: frozen, stopped or in error. */
export async function closeUnpolled(db: Kysely<DB>, environment: Environment, kinds: readonly string[]): Promise<void> {
  await db
    .updateTable("tenantry.incidents as n")
    .from("tenantry.instances as i")
    .set({ closed_at: sql<Date>`greatest(now(), n.opened_at)` })
    .whereRef("i.id", "=", "n.instance_id")
    .where("n.environment", "=", environment)
    .where("n.kind", "in", kinds)
    .where("n.closed_at", "is", null)
    .where("i.status", "not in", ["provisioning", "running"])
    .execute();
}
