import { type Kysely, sql } from "kysely";
import { namedColumns } from "../named-columns.ts";
import type { DB } from "../types.ts";

export const INVITATION_DAYS = 7;

type Role = "ADMIN" | "BASE_USER";

export async function lockClientUser(db: Kysely<DB>, id: string): Promise<void> {
  await db.selectFrom("tenantry.client_users").select("id").where("id", "=", id).forUpdate().execute();
}

export async function updateClientUser(
  db: Kysely<DB>,
  id: string,
  changes: { name?: string | undefined; role?: Role | undefined },
): Promise<void> {
  const columns = namedColumns(changes);
  if (columns !== undefined) await db.updateTable("tenantry.client_users").set(columns).where("id", "=", id).execute();
}

export async function deleteClientUser(db: Kysely<DB>, id: string): Promise<void> {
  await db.deleteFrom("tenantry.client_users").where("id", "=", id).execute();
}

export async function instancesOfClient(
  db: Kysely<DB>,
  clientId: string,
  instanceIds: readonly string[],
): Promise<string[]> {
  const found = await db
    .selectFrom("tenantry.instances")
    .select("id")
    .where("client_id", "=", clientId)
    .where("id", "in", [...instanceIds])
    .execute();
  return found.map(({ id }) => id);
}

export async function assignInstances(db: Kysely<DB>, userId: string, instanceIds: Iterable<string>): Promise<void> {
  const rows = [...instanceIds].map((instance_id) => ({ client_user_id: userId, instance_id }));
  if (rows.length > 0) await db.insertInto("tenantry.client_user_instances").values(rows).execute();
}

/** An invitation starts without a token. Sending the mail creates one, which invalidates earlier links. */
const OPEN = {
  status: "invited",
  token_hash: null,
  token_expires_at: sql<Date>`now() + ${INVITATION_DAYS}::integer * interval '1 day'`,
} as const;

/** Inserts an invited user. @returns its id; undefined if the client has a user with that address */
export async function insertInvitedUser(
  db: Kysely<DB>,
  { clientId, email, name, role }: { clientId: string; email: string; name: string; role: Role },
): Promise<string | undefined> {
  const created = await db
    .insertInto("tenantry.client_users")
    .values({ client_id: clientId, email, name, role, ...OPEN })
    .onConflict((conflict) => conflict.columns(["client_id", "email"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return created?.id;
}

export async function lockUserByEmail(
  db: Kysely<DB>,
  { clientId, email }: { clientId: string; email: string },
): Promise<{ id: string; status: string; isOpen: boolean }> {
  return db
    .selectFrom("tenantry.client_users")
    .select(["id", "status", sql<boolean>`coalesce(token_expires_at > now(), true)`.as("isOpen")])
    .where("client_id", "=", clientId)
    .where("email", "=", email)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Invites a user again after a rejected or expired invitation, and resets identity and instances. */
export async function inviteUserAgain(
  db: Kysely<DB>,
  id: string,
  { role, name }: { role: Role; name: string | undefined },
): Promise<void> {
  await db
    .updateTable("tenantry.client_users")
    .set({ role, cf_access_identity: null, ...(name !== undefined && { name }), ...OPEN })
    .where("id", "=", id)
    .execute();
  await db.deleteFrom("tenantry.client_user_instances").where("client_user_id", "=", id).execute();
}

/** Extends an invitation and revokes the token of the last mail. */
export async function reopenInvitation(db: Kysely<DB>, id: string): Promise<void> {
  await db.updateTable("tenantry.client_users").set(OPEN).where("id", "=", id).execute();
}

/** Ends an open invitation. A queued mail is not sent. */
export async function revokeInvitation(db: Kysely<DB>, id: string): Promise<void> {
  await db
    .updateTable("tenantry.client_users")
    .set({ token_hash: null, token_expires_at: sql<Date>`now()` })
    .where("id", "=", id)
    .execute();
}

export async function queueInvitation(
  db: Kysely<DB>,
  { id: client_user_id, client_id, email: recipient }: { id: string; client_id: string; email: string },
): Promise<void> {
  await db.insertInto("tenantry.mails").values({ kind: "invitation", recipient, client_id, client_user_id }).execute();
}

export async function insertValidatedUser(
  db: Kysely<DB>,
  user: { clientId: string; email: string; name: string; role: Role; accessIdentity: object | null },
): Promise<string | undefined> {
  const { clientId: client_id, email, name, role, accessIdentity } = user;
  const linked = await db
    .insertInto("tenantry.client_users")
    .values({
      client_id,
      email,
      name,
      role,
      status: "validated",
      validated_at: new Date(),
      cf_access_identity: accessIdentity && JSON.stringify(accessIdentity),
    })
    .onConflict((conflict) => conflict.columns(["client_id", "email"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return linked?.id;
}
