import type { Kysely } from "kysely";
import type * as z from "zod";
import { insertDashboardUser, insertPerson } from "#database/people/user-changes.ts";
import { findUser, type ListedUser, listUsers, placeOfUser } from "#database/people/users.ts";
import type { DB } from "#database/types.ts";
import { queueEvent } from "#database/work/events.ts";
import type { Environment } from "#domain/environment.ts";
import { peopleErrors } from "#domain/errors/api/people.ts";
import type { userRoutes } from "#workers/contracts/api/people/users.ts";
import { pageOf } from "../../http/cursors.ts";
import { failure, invalidInput, requireFound } from "../../http/failure.tsx";
import { requireOwn } from "../../http/git-owned.ts";
import type { Handlers } from "../../http/serve.ts";
import type { Caller } from "../../identity/caller.ts";
import { requireUnchanged } from "../changed-by.ts";
import { requirePartner } from "../partners/required.ts";
import { requireClient } from "../required.ts";
import { userBody } from "./body.ts";
import { link } from "./linking.ts";
import { removeDashboardUser, removePerson } from "./removal.ts";

type Creation = z.output<(typeof userRoutes)["createUser"]["body"]>;

const requireUser = async (db: Kysely<DB>, environment: Environment, id: string): Promise<ListedUser> =>
  requireFound(await findUser(db, environment, id), peopleErrors.user_not_found);

export const userHandlers: Handlers<typeof userRoutes> = {
  async listUsers({ db, settings, query }) {
    const { kind, partner_id: partnerId, search } = query;
    const filter = { kind, partnerId, search };
    return pageOf(query, (page) => listUsers(db, settings.ENVIRONMENT, { ...page, filter }), {
      body: userBody,
      placeOf: placeOfUser,
    });
  },

  async getUser({ db, settings, params }) {
    return userBody(await requireUser(db, settings.ENVIRONMENT, params.user_id));
  },

  async createUser({ db, settings, body, caller }) {
    const root = body.role === "ROOT" || body.role === "PARTNER_ROOT";
    const id = root ? await createRoot(db, caller, body) : await createPerson(db, caller, body);
    const created = await requireUser(db, settings.ENVIRONMENT, id);
    await sendUserEvent(db, created, "user.created");
    return userBody(created);
  },

  async deleteUser({ db, settings, params, caller, expected }) {
    const found = await requireUser(db, settings.ENVIRONMENT, params.user_id);
    const entity = found.kind === "dashboard" ? "dashboard_users" : "users";
    await requireUnchanged(db, expected, { entity, ...found }, caller);
    if (found.kind === "dashboard") {
      requireOwn(`The dashboard user ${found.email}`, found);
      await removeDashboardUser(db, caller, found);
    } else await removePerson(db, settings.ENVIRONMENT, found, caller);
    await sendUserEvent(db, found, "user.removed");
  },

  async linkUser({ db, settings, params, body }) {
    const client = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const user = await requireUser(db, settings.ENVIRONMENT, params.user_id);
    await link(db, client, user, body);
    await queueEvent(db, {
      client_id: client.id,
      kind: "client_user.linked",
      data: JSON.stringify({ user_id: user.id, email: user.email }),
    });
    return userBody(await requireUser(db, settings.ENVIRONMENT, user.id));
  },
};

/** Sends an event to the roots of the platform and of the user's partner. */
async function sendUserEvent(
  db: Kysely<DB>,
  { id: user_id, email, partner_id }: ListedUser,
  kind: "user.created" | "user.removed",
): Promise<void> {
  await queueEvent(db, { client_id: null, partner_id, kind, data: JSON.stringify({ user_id, email }) });
}

async function createRoot(db: Kysely<DB>, caller: Caller, body: Creation): Promise<string> {
  const { email, name, role, partner_id = null } = body;
  if (caller.role !== "ROOT") {
    throw failure(peopleErrors.dashboard_user_creation_requires_root);
  }
  if (role === "ROOT" && partner_id !== null)
    throw invalidInput("body", { partner_id: ["is only for partner roots; omit it"] });
  if (role === "PARTNER_ROOT" && partner_id === null)
    throw invalidInput("body", { partner_id: ["is required for a partner root"] });
  await requirePartner(db, partner_id);
  return insertDashboardUser(db, { email, name, role, partnerId: partner_id, accessIdentity: identityOf(body) });
}

async function createPerson(db: Kysely<DB>, caller: Caller, body: Creation): Promise<string> {
  const { email, name, role } = body;
  const partner_id = caller.partnerId ?? body.partner_id ?? null;
  if (caller.partnerId !== undefined && (body.partner_id ?? caller.partnerId) !== caller.partnerId) {
    throw failure(peopleErrors.person_of_other_partner);
  }
  await requirePartner(db, partner_id);
  return insertPerson(db, { email, name, role, partnerId: partner_id, accessIdentity: identityOf(body) });
}

const identityOf = ({ cf_access_identity }: Creation) => cf_access_identity ?? null;
