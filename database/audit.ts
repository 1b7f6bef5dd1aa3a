import { type Kysely, sql } from "kysely";
import * as z from "zod";
import type { DB } from "./types.ts";

const record = z.record(z.string(), z.unknown()).nullable();
const entry = z.object({
  /** A `bigint`. */
  id: z.string(),
  at: z.date(),
  actor: z.string(),
  actor_kind: z.string(),
  action: z.enum(["insert", "update", "delete"]),
  entity: z.string(),
  entity_id: z.string(),
  partner_id: z.string().nullable(),
  client_id: z.string().nullable(),
  before: record,
  after: record,
  user_email: z.string().nullable(),
  source: z.string().nullable(),
  request_id: z.string().nullable(),
});
export type ListedEntry = z.infer<typeof entry>;

export interface AuditFilter {
  entity?: string | undefined;
  /** Any of these entities. */
  entities?: readonly string[] | undefined;
  entity_id?: string | undefined;
  client_id?: string | undefined;
  actor?: string | undefined;
  /** ISO 8601; `from` is inclusive, `to` exclusive. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Returns a page of the audit log, newest first. @param options.after id of the last entry of the previous page */
export async function listAudit(
  db: Kysely<DB>,
  { limit, after, filter }: { limit: number; after?: string | undefined; filter: AuditFilter },
): Promise<ListedEntry[]> {
  const { from, to, entities, ...equal } = filter;
  let query = db
    .selectFrom("tenantry.audit_log as l")
    .select(["id", "at", "actor", "actor_kind", "action", "entity", "entity_id", "partner_id", "client_id"])
    .select(["before", "after", "source", "request_id"])
    // The user may be deleted by now.
    .select((e) =>
      e
        .selectFrom("tenantry.audit_log as u")
        .select(sql<string>`coalesce(u.after, u.before) ->> 'email'`.as("email"))
        .where("u.entity", "=", "client_users")
        .where("u.entity_id", "=", sql<string>`coalesce(l.after, l.before) ->> 'client_user_id'`)
        .whereRef("u.client_id", "=", "l.client_id")
        .orderBy("u.id", "desc")
        .limit(1)
        .as("user_email"),
    )
    .orderBy("id", "desc")
    .limit(limit);
  for (const column of ["entity", "entity_id", "client_id", "actor"] as const) {
    const value = equal[column];
    if (value !== undefined) query = query.where(column, "=", value);
  }
  if (entities !== undefined) query = query.where("entity", "in", entities);
  if (from !== undefined) query = query.where("at", ">=", new Date(from));
  if (to !== undefined) query = query.where("at", "<", new Date(to));
  if (after !== undefined) query = query.where("id", "<", after);
  return (await query.execute()).map((row) => entry.parse(row));
}
