import type { Kysely } from "kysely";
import { lockClientUser } from "#database/people/client-user-changes.ts";
import { findClientUser, type ListedClientUser } from "#database/people/client-users.ts";
import {
  deleteServiceToken,
  findServiceToken,
  insertServiceToken,
  type ListedServiceToken,
  listServiceTokens,
} from "#database/people/service-tokens.ts";
import { lockClient } from "#database/tenants/client-changes.ts";
import type { ListedClient } from "#database/tenants/clients.ts";
import type { DB } from "#database/types.ts";
import { queueEvent } from "#database/work/events.ts";
import { MAX_TOKENS_OF_CLIENT, serviceTokenName } from "#domain/access/service-token.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { serviceToken } from "#domain/entities/service-token.ts";
import { clientErrors } from "#domain/errors/api/clients.ts";
import { peopleErrors } from "#domain/errors/api/people.ts";
import { serviceTokenErrors as errors } from "#domain/errors/api/service-tokens.ts";
import { duplicateErrors } from "#domain/errors/database/constraints.ts";
import { tenantHostname } from "#domain/names/hostnames.ts";
import type { ServiceToken, serviceTokenRoutes } from "#workers/contracts/api/people/service-tokens.ts";
import { failure, requireFound } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { createAccessToken } from "../../tenants/access-tokens.ts";
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { requireClient } from "../required.ts";

const tokenBody = (token: ListedServiceToken): ServiceToken => bodyOf(serviceToken, token);

export const serviceTokenHandlers: Handlers<typeof serviceTokenRoutes> = {
  async listServiceTokens({ db, settings, params }) {
    await requireClient(db, settings.ENVIRONMENT, params.client_id);
    return { data: (await listServiceTokens(db, params.client_id)).map(tokenBody) };
  },

  async createServiceToken({ db, settings, params, body, caller, actOutside }) {
    const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } = settings;
    if (environment === "staging") throw failure(errors.service_tokens_not_in_staging);
    if (!settings.SERVICE_ACCESS) throw failure(errors.service_tokens_disabled);
    const client = await requireClient(db, environment, params.client_id);
    const { id: clientId, slug } = client;
    // Of one client, requests that count its tokens run one after another.
    await lockClient(db, clientId);
    await lockClientUser(db, body.client_user_id);
    const user = requireFound(await findClientUser(db, clientId, body.client_user_id), peopleErrors.user_not_found);
    requireAccess(client, user, body.role);
    await requireRoom(db, client, { clientUserId: user.id, name: body.name });
    const { name, role, days, client_user_id } = body;
    const id = crypto.randomUUID();
    actOutside();
    const names = { name: serviceTokenName(id, tenantHostname(slug, environment, domain)), days };
    const { secret, ...access } = await createAccessToken(settings, names);
    const token = { id, environment, client_id: clientId, client_user_id, name, role, created_by: caller.email };
    await insertServiceToken(db, { ...token, ...access }, days);
    const created = requireFound(await findServiceToken(db, clientId, id), errors.service_token_not_found);
    await sendTokenEvent(db, created, "service_token.created");
    return { ...tokenBody(created), client_secret: secret };
  },

  async revokeServiceToken({ db, settings, params, runAfterCommit }) {
    const { slug } = await requireClient(db, settings.ENVIRONMENT, params.client_id);
    const token = await findServiceToken(db, params.client_id, params.id);
    const { id } = requireFound(token, errors.service_token_not_found);
    await deleteServiceToken(db, id);
    if (token !== undefined) await sendTokenEvent(db, token, "service_token.revoked");
    // The automation service does the same, also after a failure here, once the Access group is changed. That may take longer.
    runAfterCommit(() => new TenantOrders(settings).forget(slug).catch(() => undefined));
  },
};

/** @throws Failure unless the user has access to the client's tenant, and at least the role */
function requireAccess(client: ListedClient, { email, role, status, instance_ids }: ListedClientUser, wanted: string) {
  const { slug, instance, delete_after } = client;
  if (delete_after !== null) throw failure(clientErrors.client_being_deleted, { slug });
  const hasAccess = status === "validated" && instance !== null && instance_ids.includes(instance.id);
  if (!hasAccess) throw failure(errors.service_token_user_without_access, { email, slug });
  if (wanted === "ADMIN" && role !== "ADMIN") throw failure(errors.service_token_role_too_high, { email, role });
}

/** Before the token is created at Access, which has no transaction. @throws Failure if the client has too many, or the name */
async function requireRoom(
  db: Kysely<DB>,
  { id, slug }: ListedClient,
  { clientUserId, name }: { clientUserId: string; name: string },
): Promise<void> {
  const tokens = await listServiceTokens(db, id);
  if (tokens.some((token) => token.client_user_id === clientUserId && token.name === name)) {
    throw failure(duplicateErrors.service_token_name_exists);
  }
  const now = new Date();
  const valid = tokens.filter(({ expires_at }) => expires_at > now).length;
  if (valid < MAX_TOKENS_OF_CLIENT) return;
  throw failure(errors.client_has_max_service_tokens, { slug, most: MAX_TOKENS_OF_CLIENT });
}

async function sendTokenEvent(
  db: Kysely<DB>,
  { id, client_id, client_user_id, email, name }: ListedServiceToken,
  kind: "service_token.created" | "service_token.revoked",
): Promise<void> {
  const data = JSON.stringify({ service_token_id: id, client_user_id, email, name });
  await queueEvent(db, { client_id, kind, data });
}
