/** Invitations: rows, the mail that the automation service sends, and the news of it, in the request's one transaction. */
import { type Kysely, sql } from "kysely";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import { tellEvent } from "#database/work/events.ts";
import { Failure } from "../../http/failure.tsx";

/** How long an invitation holds (spec: "Limits"). */
const INVITATION_DAYS = 7;

export interface Invited {
  email: string;
  name?: string | undefined;
  role: "ADMIN" | "BASE_USER";
  instance_ids: readonly string[];
}

/** What an invitation begins with, each time: no token, which is made when the mail is sent, so that an older link is dead. */
const OPEN = {
  status: "invited",
  token_hash: null,
  token_expires_at: sql<Date>`now() + ${INVITATION_DAYS}::integer * interval '1 day'`,
} as const;

/** Invites someone who is not there, or whose invitation was rejected or is over. @returns the user's id */
export async function invite(db: Kysely<DB>, client: ListedClient, invited: Invited): Promise<string> {
  const { email, role } = invited;
  const instances = [...new Set(invited.instance_ids)];
  await requireInstances(db, client, instances);
  const created = await db
    .insertInto("tenantry.client_users")
    .values({ client_id: client.id, email, name: invited.name ?? "", role, ...OPEN })
    .onConflict((conflict) => conflict.columns(["client_id", "email"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  const id = created?.id ?? (await inviteAgain(db, client, invited));
  await db
    .insertInto("tenantry.client_user_instances")
    .values(instances.map((instance_id) => ({ client_user_id: id, instance_id })))
    .execute();
  await announce(db, { id, client_id: client.id, email }, "invitation.created");
  return id;
}

/** @throws Failure `conflict` for a user, and for someone whose invitation is open */
async function inviteAgain(db: Kysely<DB>, client: ListedClient, { email, name, role }: Invited): Promise<string> {
  const { id, status, is_open } = await db
    .selectFrom("tenantry.client_users")
    .select(["id", "status", sql<boolean>`coalesce(token_expires_at > now(), true)`.as("is_open")])
    .where("client_id", "=", client.id)
    .where("email", "=", email)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (status === "validated") {
    throw new Failure("conflict", `${email} is a user of ${client.slug} already; change role and name there.`, { id });
  }
  if (status === "invited" && is_open) {
    throw new Failure("conflict", `${email} is invited to ${client.slug} already; resend that invitation.`, { id });
  }
  await db
    .updateTable("tenantry.client_users")
    .set({ role, cf_access_identity: null, ...(name !== undefined && { name }), ...OPEN })
    .where("id", "=", id)
    .execute();
  await db.deleteFrom("tenantry.client_user_instances").where("client_user_id", "=", id).execute();
  return id;
}

/** Opens an invitation anew, with another mail. */
export async function resend(db: Kysely<DB>, user: { id: string; client_id: string; email: string }): Promise<void> {
  await db.updateTable("tenantry.client_users").set(OPEN).where("id", "=", user.id).execute();
  await announce(db, user, "invitation.resent");
}

/** Ends an open invitation; a mail that still waits is not sent. */
export async function revoke(db: Kysely<DB>, user: { id: string; client_id: string; email: string }): Promise<void> {
  await db
    .updateTable("tenantry.client_users")
    .set({ token_hash: null, token_expires_at: sql<Date>`now()` })
    .where("id", "=", user.id)
    .execute();
  await tell(db, user, "invitation.revoked");
}

async function announce(
  db: Kysely<DB>,
  user: { id: string; client_id: string; email: string },
  kind: "invitation.created" | "invitation.resent",
): Promise<void> {
  const { id: client_user_id, client_id, email: recipient } = user;
  await db.insertInto("tenantry.mails").values({ kind: "invitation", recipient, client_id, client_user_id }).execute();
  await tell(db, user, kind);
}

/** Tells dashboards what became of a user. @param kind `subject.what` */
export async function tell(
  db: Kysely<DB>,
  { id: client_user_id, client_id, email }: { id: string; client_id: string; email: string },
  kind: string,
): Promise<void> {
  const data = JSON.stringify({ client_user_id, email });
  await tellEvent(db, { client_id, kind, data });
}

async function requireInstances(db: Kysely<DB>, client: ListedClient, ids: readonly string[]): Promise<void> {
  const found = await db
    .selectFrom("tenantry.instances")
    .select("id")
    .where("client_id", "=", client.id)
    .where("id", "in", ids)
    .execute();
  if (found.length === ids.length) return;
  throw new Failure("invalid_request", "The body holds values that cannot be.", {
    instance_ids: [`are not all instances of ${client.slug}; name its own`],
  });
}
