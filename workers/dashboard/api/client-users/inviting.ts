/** Invitations: rows, the mail that the automation service sends, and the news of it, in the request's one transaction. */
import type { Kysely } from "kysely";
import {
  assignInstances,
  insertInvitedUser,
  instancesOfClient,
  inviteUserAgain,
  lockUserByEmail,
  queueInvitation,
  reopenInvitation,
  revokeInvitation,
} from "#database/people/client-user-changes.ts";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import { tellEvent } from "#database/work/events.ts";
import { Failure } from "../../http/failure.tsx";

export interface Invited {
  email: string;
  name?: string | undefined;
  role: "ADMIN" | "BASE_USER";
  instance_ids: readonly string[];
}

/** Invites someone who is not there, or whose invitation was rejected or is over. @returns the user's id */
export async function invite(db: Kysely<DB>, client: ListedClient, invited: Invited): Promise<string> {
  const { email, role } = invited;
  const instances = [...new Set(invited.instance_ids)];
  await requireInstances(db, client, instances);
  const created = await insertInvitedUser(db, { clientId: client.id, email, name: invited.name ?? "", role });
  const id = created ?? (await inviteAgain(db, client, invited));
  await assignInstances(db, id, instances);
  await announce(db, { id, client_id: client.id, email }, "invitation.created");
  return id;
}

/** @throws Failure `conflict` for a user, and for someone whose invitation is open */
async function inviteAgain(db: Kysely<DB>, client: ListedClient, { email, name, role }: Invited): Promise<string> {
  const { id, status, isOpen } = await lockUserByEmail(db, { clientId: client.id, email });
  if (status === "validated") {
    throw new Failure("conflict", `${email} is a user of ${client.slug} already; change role and name there.`, { id });
  }
  if (status === "invited" && isOpen) {
    throw new Failure("conflict", `${email} is invited to ${client.slug} already; resend that invitation.`, { id });
  }
  await inviteUserAgain(db, id, { role, name });
  return id;
}

/** Opens an invitation anew, with another mail. */
export async function resend(db: Kysely<DB>, user: { id: string; client_id: string; email: string }): Promise<void> {
  await reopenInvitation(db, user.id);
  await announce(db, user, "invitation.resent");
}

/** Ends an open invitation; a mail that still waits is not sent. */
export async function revoke(db: Kysely<DB>, user: { id: string; client_id: string; email: string }): Promise<void> {
  await revokeInvitation(db, user.id);
  await tell(db, user, "invitation.revoked");
}

async function announce(
  db: Kysely<DB>,
  user: { id: string; client_id: string; email: string },
  kind: "invitation.created" | "invitation.resent",
): Promise<void> {
  await queueInvitation(db, user);
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
  const found = await instancesOfClient(db, client.id, ids);
  if (found.length === ids.length) return;
  throw new Failure("invalid_request", "The body holds values that cannot be.", {
    instance_ids: [`are not all instances of ${client.slug}; name its own`],
  });
}
