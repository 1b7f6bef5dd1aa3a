/** Events for open dashboards and consoles, as people read them within their scope. */
import type { Kysely } from "kysely";
import type { DB } from "../types.ts";

export interface DashboardEvent {
  /** Ids are in commit order (`tenantry.event_committed`). */
  id: number;
  kind: string;
  clientId: string | null;
  data: unknown;
  at: Date;
}

/** The caller's partner or client, for the index; row-level security restricts the rows. */
export interface EventScope {
  partnerId: string | undefined;
  clientId: string | undefined;
}

export async function listEventsAfter(
  db: Kysely<DB>,
  { partnerId, clientId }: EventScope,
  after: number,
  limit: number,
): Promise<DashboardEvent[]> {
  let query = db
    .selectFrom("tenantry.events")
    .select(["id", "kind", "client_id", "data", "at"])
    .where("id", ">", String(after))
    .orderBy("id")
    .limit(limit);
  if (partnerId !== undefined) query = query.where("partner_id", "=", partnerId);
  if (clientId !== undefined) query = query.where("client_id", "=", clientId);
  const rows = await query.execute();
  return rows.map(({ id, kind, client_id, data, at }) => ({ id: Number(id), kind, clientId: client_id, data, at }));
}

export async function findLatestEventId(db: Kysely<DB>, { partnerId, clientId }: EventScope): Promise<number> {
  let query = db.selectFrom("tenantry.events").select("id").orderBy("id", "desc").limit(1);
  if (partnerId !== undefined) query = query.where("partner_id", "=", partnerId);
  if (clientId !== undefined) query = query.where("client_id", "=", clientId);
  const newest = await query.executeTakeFirst();
  return Number(newest?.id ?? 0);
}
