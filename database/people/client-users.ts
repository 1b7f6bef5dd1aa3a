import { type Expression, type Kysely, sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import * as z from "zod";
import { rowOf } from "#domain/entities/entity.ts";
import { clientUser, type MemberState } from "#domain/entities/user.ts";
import { type Page, type Place, selectPage } from "../cursor.ts";
import type { DB } from "../types.ts";

const row = rowOf(
  clientUser.extend({
    // An identity of another shape was not written by Tenantry.
    cf_access_identity: clientUser.shape.cf_access_identity.catch(null),
    /** `created_at` as PostgreSQL writes it, for cursors. */
    created_text: z.string(),
    /** Whether the user is invited and can still answer. */
    is_open: z.boolean(),
  }),
);
/** A client's user as lists show it. */
export type ListedClientUser = z.infer<typeof row>;

const ORDER = { column: "created_at", direction: "desc" } as const;

function selectClientUsers(db: Kysely<DB>, clientId: string) {
  return db
    .selectFrom("tenantry.client_users as u")
    .select(["u.id", "u.client_id", "u.email", "u.name", "u.role", "u.status", "u.validated_at"])
    .select(["u.cf_access_identity", "u.token_expires_at as expires_at", "u.created_at", "u.updated_at", "u.version"])
    .select(sql<string>`u.created_at::text`.as("created_text"))
    .select(sql<boolean>`u.status = 'invited' and coalesce(u.token_expires_at > now(), true)`.as("is_open"))
    .select((e) => [
      jsonArrayFrom(
        e
          .selectFrom("tenantry.client_user_instances as a")
          .select("a.instance_id")
          .whereRef("a.client_user_id", "=", "u.id")
          .orderBy("a.instance_id"),
      ).as("assignments"),
      latestMail(e.ref("u.id")).as("mail_status"),
    ])
    .where("u.client_id", "=", clientId);
}

function latestMail(userId: Expression<string>) {
  return sql<string | null>`(
    select m.status from tenantry.mails m where m.client_user_id = ${userId} order by m.created_at desc limit 1)`;
}

type Selected = Awaited<ReturnType<ReturnType<typeof selectClientUsers>["execute"]>>[number];

function toListed({ assignments, ...selected }: Selected): ListedClientUser {
  return row.parse({ ...selected, instance_ids: assignments.map(({ instance_id }) => instance_id) });
}

export async function findClientUser(
  db: Kysely<DB>,
  clientId: string,
  id: string,
): Promise<ListedClientUser | undefined> {
  const found = await selectClientUsers(db, clientId).where("u.id", "=", id).executeTakeFirst();
  return found && toListed(found);
}

/** Returns a page of a client's users, newest first. */
export async function listClientUsers(
  db: Kysely<DB>,
  clientId: string,
  page: Page & { status?: MemberState | undefined },
): Promise<ListedClientUser[]> {
  let query = selectPage(selectClientUsers(db, clientId), { table: "u", order: ORDER, type: "timestamptz" }, page);
  if (page.status !== undefined) query = query.where("u.status", "=", page.status);
  return (await query.execute()).map(toListed);
}

/** The place of a user in their order. */
export function placeOfClientUser({ created_text, id }: ListedClientUser): Place {
  return [created_text, id];
}

/** Whether a client has a validated ADMIN other than a user. */
export async function hasOtherAdmin(
  db: Kysely<DB>,
  { clientId, id }: { clientId: string; id: string },
): Promise<boolean> {
  const other = await db
    .selectFrom("tenantry.client_users")
    .select("id")
    .where("client_id", "=", clientId)
    .where("id", "<>", id)
    .where("role", "=", "ADMIN")
    .where("status", "=", "validated")
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

export async function countClientUsers(db: Kysely<DB>, clientId: string): Promise<number> {
  const { total } = await db
    .selectFrom("tenantry.client_users")
    .select((e) => e.fn.countAll().as("total"))
    .where("client_id", "=", clientId)
    .executeTakeFirstOrThrow();
  return Number(total);
}
