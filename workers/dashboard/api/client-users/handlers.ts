/** What the routes of a client's users do. */

import type { Kysely } from "kysely";
import { decodeCursor, encodeCursor } from "#database/cursor.ts";
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
import { Failure } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { requireVersion } from "../../http/versions.ts";
import { forgetTenant } from "../clients/forgetting.ts";
import { requireClient } from "../clients/required.ts";
import { clientUserBody } from "./body.ts";
import { invite, resend, revoke, tell } from "./inviting.ts";

export const clientUserHandlers: Handlers<typeof clientUserRoutes> = {
  async listClientUsers({ db, settings, params, query }) {
    await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const after = query.after === undefined ? undefined : decodeCursor(query.after);
    if (query.after !== undefined && after === undefined) {
      throw new Failure("invalid_request", "The query holds values that cannot be.", {
        after: ["is not a cursor of this list; omit it to start from the first page"],
      });
    }
    const { limit, status } = query;
    const [found, total] = await Promise.all([
      listClientUsers(db, params.client_id, { limit: limit + 1, after, status }),
      status === undefined ? countClientUsers(db, params.client_id) : undefined,
    ]);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      data: page.map(clientUserBody),
      pagination: {
        next: last === undefined ? null : encodeCursor(placeOfClientUser(last)),
        ...(total !== undefined && { total }),
      },
    };
  },

  async inviteClientUser({ db, settings, params, body }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    requireKept(client);
    return answer(db, client.id, await invite(db, client, body));
  },

  async updateClientUser({ db, settings, params, body, expected, caller }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const user = await lock(db, params);
    requireVersion(expected, user.version);
    await updateClientUser(db, user.id, body);
    const isOther = body.role !== undefined && body.role !== user.role;
    if (isOther && user.status === "validated") await forgetTenant(db, client, caller);
    await tell(db, { ...user, client_id: client.id }, "client_user.changed");
    return answer(db, client.id, user.id);
  },

  async removeClientUser({ db, settings, params, expected, caller }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const user = await lock(db, params);
    requireVersion(expected, user.version);
    await deleteClientUser(db, user.id);
    if (user.status === "validated") await forgetTenant(db, client, caller);
    await tell(db, { ...user, client_id: client.id }, "client_user.removed");
  },

  async resendInvitation({ db, settings, params }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    requireKept(client);
    const user = await lock(db, params);
    if (user.status !== "invited") {
      const remedy = user.status === "rejected" ? "; invite them anew" : ", by accepting";
      throw new Failure("conflict", `${user.email} has answered${remedy}.`);
    }
    await resend(db, { ...user, client_id: client.id });
    return answer(db, client.id, user.id);
  },

  async revokeInvitation({ db, settings, params }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const user = await lock(db, params);
    if (!user.is_open) {
      throw new Failure("conflict", `${user.email} has no open invitation; remove the user to take access away.`);
    }
    await revoke(db, { ...user, client_id: client.id });
    return answer(db, client.id, user.id);
  },
};

/** A user as it stays until the transaction's end. @throws Failure `not_found` */
async function lock(db: Kysely<DB>, { client_id, id }: { client_id: string; id: string }): Promise<ListedClientUser> {
  await lockClientUser(db, id);
  const found = await findClientUser(db, client_id, id);
  if (found === undefined) throw new Failure("not_found", "The client has no such user.");
  return found;
}

async function answer(db: Kysely<DB>, clientId: string, id: string) {
  const found = await findClientUser(db, clientId, id);
  if (found === undefined) throw new Failure("not_found", "The client has no such user.");
  return clientUserBody(found);
}

function requireKept({ slug, delete_after }: ListedClient): void {
  if (delete_after !== null) throw new Failure("conflict", `The client ${slug} is being deleted. Restore it first.`);
}
