/** News as an open dashboard is told them. Every query is a root's own, who sees what is in scope. */
import type { Kysely } from "kysely";
import type { DB } from "../types.ts";

export interface News {
  /** Whoever has seen an id has missed none before it (`tenantry.event_committed`). */
  id: number;
  kind: string;
  clientId: string | null;
  data: unknown;
  at: Date;
}

/** Whose they are, said for the index that finds them; row-level security sees to the scope. */
type Scope = string | undefined;

/** The oldest `limit` news after an id. @param partnerId of a partner root */
export async function newsAfter(db: Kysely<DB>, partnerId: Scope, after: number, limit: number): Promise<News[]> {
  let query = db
    .selectFrom("tenantry.events")
    .select(["id", "kind", "client_id", "data", "at"])
    .where("id", ">", String(after))
    .orderBy("id")
    .limit(limit);
  if (partnerId !== undefined) query = query.where("partner_id", "=", partnerId);
  const rows = await query.execute();
  return rows.map(({ id, kind, client_id, data, at }) => ({ id: Number(id), kind, clientId: client_id, data, at }));
}

/** Id of the newest; 0 where there is none. @param partnerId of a partner root */
export async function newestNews(db: Kysely<DB>, partnerId: Scope): Promise<number> {
  let query = db.selectFrom("tenantry.events").select("id").orderBy("id", "desc").limit(1);
  if (partnerId !== undefined) query = query.where("partner_id", "=", partnerId);
  const newest = await query.executeTakeFirst();
  return Number(newest?.id ?? 0);
}
