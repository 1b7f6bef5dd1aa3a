/** Invitations: rows, mails and events, in the transaction of the request. */
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
import { queueEvent } from "#database/work/events.ts";
import { peopleErrors } from "#domain/errors/api/people.ts";
import { failure, invalidInput } from "../../http/failure.tsx";

export interface Invited {
  email: string;
  name?: string | undefined;
  role: "ADMIN" | "BASE_USER";
  instance_ids: readonly string[];
}

/** Invites a new user, or one whose invitation was rejected or has expired. @returns the user's ID */
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

/** @throws Failure `conflict` for a validated user, and for an open invitation */
async function inviteAgain(db: Kysely<DB>, client: ListedClient, { email, name, role }: Invited): Promise<string> {
  const { id, status, isOpen } = await lockUserByEmail(db, { clientId: client.id, email });
  if (status === "validated") {
    throw failure(peopleErrors.user_already_in_client, { email, slug: client.slug }, { details: { id } });
  }
  if (status === "invited" && isOpen) {
    throw failure(peopleErrors.user_already_invited, { email, slug: client.slug }, { details: { id } });
  }
  await inviteUserAgain(db, id, { role, name });
  return id;
}

/** Reopens an invitation and queues another mail. */
export async function resend(db: Kysely<DB>, user: { id: string; client_id: string; email: string }): Promise<void> {
  await reopenInvitation(db, user.id);
  await announce(db, user, "invitation.resent");
}

/** Revokes an open invitation; a queued mail is not sent. */
export async function revoke(db: Kysely<DB>, user: { id: string; client_id: string; email: string }): Promise<void> {
  await revokeInvitation(db, user.id);
  await sendUserEvent(db, user, "invitation.revoked");
}

async function announce(
  db: Kysely<DB>,
  user: { id: string; client_id: string; email: string },
  kind: "invitation.created" | "invitation.resent",
): Promise<void> {
  await queueInvitation(db, user);
  await sendUserEvent(db, user, kind);
}

export async function sendUserEvent(
  db: Kysely<DB>,
  { id: client_user_id, client_id, email }: { id: string; client_id: string; email: string },
  kind: string,
): Promise<void> {
  const data = JSON.stringify({ client_user_id, email });
  await queueEvent(db, { client_id, kind, data });
}

async function requireInstances(db: Kysely<DB>, client: ListedClient, ids: readonly string[]): Promise<void> {
  const found = await instancesOfClient(db, client.id, ids);
  if (found.length === ids.length) return;
  throw invalidInput("body", {
    instance_ids: [`must be instances of ${client.slug}`],
  });
}
