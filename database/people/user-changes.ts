import type { Kysely } from "kysely";
import type { DB } from "../types.ts";

interface NewUser {
  email: string;
  name: string;
  role: string;
  partnerId: string | null;
  accessIdentity: object | null;
}

const columnsOf = ({ email, name, role, partnerId, accessIdentity }: NewUser) => ({
  email,
  name,
  role,
  partner_id: partnerId,
  cf_access_identity: accessIdentity && JSON.stringify(accessIdentity),
});

export async function insertDashboardUser(db: Kysely<DB>, user: NewUser): Promise<string> {
  const { id } = await db
    .insertInto("tenantry.dashboard_users")
    .values({ ...columnsOf(user), managed_by: "dashboard" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function insertPerson(db: Kysely<DB>, user: NewUser): Promise<string> {
  const { id } = await db
    .insertInto("tenantry.users")
    .values(columnsOf(user))
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Locks all platform roots in the order of their ids. @returns their ids */
export async function lockPlatformRoots(db: Kysely<DB>): Promise<string[]> {
  const roots = await db
    .selectFrom("tenantry.dashboard_users")
    .select("id")
    .where("role", "=", "ROOT")
    .orderBy("id")
    .forUpdate()
    .execute();
  return roots.map(({ id }) => id);
}

export async function deleteDashboardUser(db: Kysely<DB>, id: string): Promise<void> {
  await db.deleteFrom("tenantry.dashboard_users").where("id", "=", id).execute();
}

export async function deletePerson(db: Kysely<DB>, id: string): Promise<{ clientId: string; status: string }[]> {
  const users = await db
    .deleteFrom("tenantry.client_users")
    .where("user_id", "=", id)
    .returning(["client_id as clientId", "status"])
    .execute();
  await db.deleteFrom("tenantry.users").where("id", "=", id).execute();
  return users;
}
