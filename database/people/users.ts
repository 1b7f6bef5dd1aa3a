import { type Kysely, sql } from "kysely";
import * as z from "zod";
import { rowOf } from "#domain/entities/entity.ts";
import { membership, user } from "#domain/entities/user.ts";
import type { Environment } from "#domain/environment.ts";
import { type Page, type Place, selectPage } from "../cursor.ts";
import type { DB } from "../types.ts";

const row = rowOf(
  user.omit({ status: true, validated_at: true, instance_ids: true, clients: true }).extend({
    cf_access_identity: z.record(z.string(), z.json()).nullable().catch(null),
    owner: z.string().nullable(),
    /** `created_at` as PostgreSQL writes it, for cursors. */
    created_text: z.string(),
    memberships: z.array(membership.extend({ validated_at: z.coerce.date().nullable() })),
  }),
);
export type ListedUser = z.infer<typeof row>;

export interface UserFilter {
  kind?: ListedUser["kind"] | undefined;
  partnerId?: string | undefined;
  search?: string | undefined;
}

const NEWEST = { column: "created_at", direction: "desc" } as const;

function selectDashboardUsers(db: Kysely<DB>, environment: Environment) {
  return db
    .selectFrom("tenantry.dashboard_users as u")
    .select(["u.id", "u.email", "u.name", "u.role", "u.partner_id", "u.cf_access_identity", "u.managed_by", "u.owner"])
    .select(["u.created_at", sql<string>`u.created_at::text`.as("created_text"), "u.updated_at", "u.version"])
    .select(sql<string>`'dashboard'`.as("kind"))
    .where("u.environment", "=", environment);
}

function selectPeople(db: Kysely<DB>, environment: Environment) {
  return db
    .selectFrom("tenantry.users as u")
    .select(["u.id", "u.email", "u.name", "u.role", "u.partner_id", "u.cf_access_identity"])
    .select([sql<string>`'dashboard'`.as("managed_by"), sql<string | null>`null::text`.as("owner")])
    .select(["u.created_at", sql<string>`u.created_at::text`.as("created_text"), "u.updated_at", "u.version"])
    .select(sql<string>`'person'`.as("kind"))
    .where("u.environment", "=", environment);
}

async function membershipsOf(db: Kysely<DB>, people: readonly string[]): Promise<Map<string, unknown[]>> {
  const found = new Map<string, unknown[]>();
  if (people.length === 0) return found;
  const rows = await db
    .selectFrom("tenantry.client_users as m")
    .innerJoin("tenantry.clients as c", "c.id", "m.client_id")
    .select(["m.user_id", "m.client_id", "c.slug", "m.role", "m.status", "m.validated_at"])
    .select(
      sql<string[]>`array(
        select a.instance_id from tenantry.client_user_instances a where a.client_user_id = m.id order by 1)`.as(
        "instance_ids",
      ),
    )
    .where("m.user_id", "in", people)
    .orderBy("c.slug")
    .execute();
  for (const { user_id, ...membership } of rows) found.set(user_id, [...(found.get(user_id) ?? []), membership]);
  return found;
}

async function withMemberships(db: Kysely<DB>, rows: readonly { id: string }[]): Promise<ListedUser[]> {
  const ids = rows.map(({ id }) => id);
  const memberships = await membershipsOf(db, ids);
  return rows.map((user) => row.parse({ ...user, memberships: memberships.get(user.id) ?? [] }));
}

export async function findUser(db: Kysely<DB>, environment: Environment, id: string): Promise<ListedUser | undefined> {
  const found =
    (await selectDashboardUsers(db, environment).where("u.id", "=", id).executeTakeFirst()) ??
    (await selectPeople(db, environment).where("u.id", "=", id).executeTakeFirst());
  return found && (await withMemberships(db, [found]))[0];
}

/** Returns a page of the users that the caller sees, newest first. */
export async function listUsers(
  db: Kysely<DB>,
  environment: Environment,
  page: Page & { filter?: UserFilter },
): Promise<ListedUser[]> {
  const { filter = {} } = page;
  // Each table returns a full page by its own index; the newest rows of both are the page.
  const read = <Q extends ReturnType<typeof selectDashboardUsers> | ReturnType<typeof selectPeople>>(users: Q) => {
    const order = { table: "u", order: NEWEST, type: "timestamptz" } as const;
    let query = selectPage(users as ReturnType<typeof selectPeople>, order, page);
    if (filter.partnerId !== undefined) query = query.where("u.partner_id", "=", filter.partnerId);
    if (filter.search !== undefined) {
      const part = `%${filter.search.replaceAll(/[\\%_]/g, "\\$&")}%`;
      query = query.where((e) => e.or([e("u.email", "ilike", part), e("u.name", "ilike", part)]));
    }
    return query.execute();
  };
  const dashboard = filter.kind === "person" ? [] : await read(selectDashboardUsers(db, environment));
  const people = filter.kind === "dashboard" ? [] : await read(selectPeople(db, environment));
  return withMemberships(db, [...dashboard, ...people].toSorted(newestFirst).slice(0, page.limit));
}

type Placed = Pick<ListedUser, "id" | "created_at" | "created_text">;

/** PostgreSQL's order: by microsecond, then by id. */
function newestFirst(a: Placed, b: Placed): number {
  const apart = b.created_at.getTime() - a.created_at.getTime() || microsecondsOf(b) - microsecondsOf(a);
  return apart !== 0 ? apart : a.id < b.id ? 1 : -1;
}

function microsecondsOf({ created_text }: Placed): number {
  const [, digits = ""] = /\.(\d+)/.exec(created_text) ?? [];
  return Number(digits.padEnd(6, "0"));
}

/** The place of a user in the list. */
export function placeOfUser({ created_text, id }: ListedUser): Place {
  return [created_text, id];
}
