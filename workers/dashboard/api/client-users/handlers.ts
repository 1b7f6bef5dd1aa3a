import type { Kysely } from "kysely";
import { deleteClientUser, lockClientUser, updateClientUser } from "#database/people/client-user-changes.ts";
import {
  countClientUsers,
  findClientUser,
  hasOtherAdmin,
  type ListedClientUser,
  listClientUsers,
  placeOfClientUser,
} from "#database/people/client-users.ts";
import { lockClient } from "#database/tenants/client-changes.ts";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import { peopleErrors } from "#domain/errors/api/people.ts";
import type { clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { pageOf } from "../../http/cursors.ts";
import { failure, requireFound } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import type { Caller } from "../../identity/caller.ts";
import { requireUnchanged } from "../changed-by.ts";
import { forgetTenant } from "../clients/forgetting.ts";
import { requireClient } from "../required.ts";
import { clientUserBody } from "./body.ts";
import { invite, resend, revoke, sendUserEvent } from "./inviting.ts";

export const clientUserHandlers: Handlers<typeof clientUserRoutes> = {
  async listClientUsers({ db, settings, params, query }) {
    await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const { status } = query;
    const [page, total] = await Promise.all([
      pageOf(query, (place) => listClientUsers(db, params.client_id, { ...place, status }), {
        body: clientUserBody,
        placeOf: placeOfClientUser,
      }),
      status === undefined ? countClientUsers(db, params.client_id) : undefined,
    ]);
    return total === undefined ? page : { ...page, pagination: { ...page.pagination, total } };
  },

  async inviteClientUser({ db, settings, params, body }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    requireNotDeleted(client);
    return userAnswer(db, client.id, await invite(db, client, body));
  },

  async updateClientUser({ db, settings, params, body, expected, caller }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    await lockClient(db, client.id);
    const user = await lockUser(db, params);
    await requireUnchanged(db, expected, { entity: "client_users", ...user }, caller);
    const isOther = body.role !== undefined && body.role !== user.role;
    if (isOther) await requireOtherAdmin(db, { client, user, caller });
    await updateClientUser(db, user.id, body);
    if (isOther && user.status === "validated") await forgetTenant(db, client, caller);
    await sendUserEvent(db, user, "client_user.changed");
    return userAnswer(db, client.id, user.id);
  },

  async removeClientUser({ db, settings, params, expected, caller }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    await lockClient(db, client.id);
    const user = await lockUser(db, params);
    await requireUnchanged(db, expected, { entity: "client_users", ...user }, caller);
    await requireOtherAdmin(db, { client, user, caller });
    await deleteClientUser(db, user.id);
    if (user.status === "validated") await forgetTenant(db, client, caller);
    await sendUserEvent(db, user, "client_user.removed");
  },

  async resendInvitation({ db, settings, params }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    requireNotDeleted(client);
    const user = await lockUser(db, params);
    if (user.status !== "invited") {
      const { invitation_rejected, invitation_accepted } = peopleErrors;
      throw failure(user.status === "rejected" ? invitation_rejected : invitation_accepted, { email: user.email });
    }
    await resend(db, user);
    return userAnswer(db, client.id, user.id);
  },

  async revokeInvitation({ db, settings, params }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const user = await lockUser(db, params);
    if (!user.is_open) {
      throw failure(peopleErrors.user_without_open_invitation, { email: user.email });
    }
    await revoke(db, user);
    return userAnswer(db, client.id, user.id);
  },
};

/**
 * Keeps an ADMIN from removing the last one, of whom none could undo it. The client is locked, so that two ADMINs cannot remove each other.
 *
 * @throws Failure `conflict`
 */
async function requireOtherAdmin(
  db: Kysely<DB>,
  { client, user, caller }: { client: ListedClient; user: ListedClientUser; caller: Caller },
): Promise<void> {
  if (caller.tenant === undefined || user.role !== "ADMIN" || user.status !== "validated") return;
  if (await hasOtherAdmin(db, { clientId: client.id, id: user.id })) return;
  throw failure(peopleErrors.last_admin, { email: user.email, slug: client.slug });
}

/** Locks a user until the transaction ends. */
async function lockUser(
  db: Kysely<DB>,
  { client_id, id }: { client_id: string; id: string },
): Promise<ListedClientUser> {
  await lockClientUser(db, id);
  return requireFound(await findClientUser(db, client_id, id), peopleErrors.user_not_found);
}

async function userAnswer(db: Kysely<DB>, clientId: string, id: string) {
  return clientUserBody(requireFound(await findClientUser(db, clientId, id), peopleErrors.user_not_found));
}

function requireNotDeleted({ slug, delete_after }: ListedClient): void {
  if (delete_after !== null) throw failure(clientErrors.client_being_deleted, { slug });
}
