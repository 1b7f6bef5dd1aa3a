import type { Kysely } from "kysely";
import { deleteClientUser, lockClientUser, updateClientUser } from "#database/people/client-user-changes.ts";
import {
  countClientUsers,
  findClientUser,
  type ListedClientUser,
  listClientUsers,
  placeOfClientUser,
} from "#database/people/client-users.ts";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import type { clientUserRoutes } from "#workers/contracts/api/people/invitations.ts";
import { pageOf } from "../../http/cursors.ts";
import { Failure, requireFound } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { requireVersion } from "../../http/versions.ts";
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
    const user = await lockUser(db, params);
    requireVersion(expected, user.version);
    await updateClientUser(db, user.id, body);
    const isOther = body.role !== undefined && body.role !== user.role;
    if (isOther && user.status === "validated") await forgetTenant(db, client, caller);
    await sendUserEvent(db, user, "client_user.changed");
    return userAnswer(db, client.id, user.id);
  },

  async removeClientUser({ db, settings, params, expected, caller }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const user = await lockUser(db, params);
    requireVersion(expected, user.version);
    await deleteClientUser(db, user.id);
    if (user.status === "validated") await forgetTenant(db, client, caller);
    await sendUserEvent(db, user, "client_user.removed");
  },

  async resendInvitation({ db, settings, params }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    requireNotDeleted(client);
    const user = await lockUser(db, params);
    if (user.status !== "invited") {
      const remedy = user.status === "rejected" ? " Invite the user again." : "";
      throw new Failure(
        "conflict",
        `${user.email} has ${user.status === "rejected" ? "rejected" : "accepted"} the invitation.${remedy}`,
      );
    }
    await resend(db, user);
    return userAnswer(db, client.id, user.id);
  },

  async revokeInvitation({ db, settings, params }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const user = await lockUser(db, params);
    if (!user.is_open) {
      throw new Failure("conflict", `${user.email} has no open invitation. Remove the user to end the access.`);
    }
    await revoke(db, user);
    return userAnswer(db, client.id, user.id);
  },
};

/** Locks a user until the transaction ends. */
async function lockUser(
  db: Kysely<DB>,
  { client_id, id }: { client_id: string; id: string },
): Promise<ListedClientUser> {
  await lockClientUser(db, id);
  return requireFound(await findClientUser(db, client_id, id), "User");
}

async function userAnswer(db: Kysely<DB>, clientId: string, id: string) {
  return clientUserBody(requireFound(await findClientUser(db, clientId, id), "User"));
}

function requireNotDeleted({ slug, delete_after }: ListedClient): void {
  if (delete_after !== null) throw new Failure("conflict", `The client ${slug} is being deleted. Restore it first.`);
}
