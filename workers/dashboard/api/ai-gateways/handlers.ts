import type { Kysely } from "kysely";
import { deleteEntry, insertEntry, lockEntry, updateEntry } from "#database/ai-gateways/entries.ts";
import {
  type Binding,
  findEntry,
  type ListedEntry,
  listBindings,
  listEntries,
} from "#database/ai-gateways/listed-entries.ts";
import type { DB } from "#database/types.ts";
import { aiGateway } from "#domain/entities/ai-gateway.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import type { Environment } from "#domain/environment.ts";
import { aiGatewayErrors } from "#domain/errors/api/ai-gateways.ts";
import type { AiGateway, aiGatewayRoutes, BoundInstance } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { pageOf } from "../../http/cursors.ts";
import { failure, requireFound } from "../../http/failure.tsx";
import { declaredIn, requireOwn } from "../../http/git-owned.ts";
import type { Handlers } from "../../http/serve.ts";
import { type Expectation, requireUnchanged } from "../changed-by.ts";
import { sendGatewayEvent } from "../events.ts";

export const aiGatewayHandlers: Handlers<typeof aiGatewayRoutes> = {
  async listAiGateways({ db, query }) {
    return pageOf(query, (page) => listEntries(db, page), {
      body: entryBody,
      placeOf: ({ gateway_id, id }) => [gateway_id, id],
    });
  },

  async getAiGateway({ db, params }) {
    return entryBody(await requireEntry(db, params.id));
  },

  async listBoundInstances({ db, params, query }) {
    const { id } = await requireEntry(db, params.id);
    return pageOf(query, (page) => listBindings(db, id, page), {
      body: boundBody,
      placeOf: ({ client }) => [client.slug, client.id],
    });
  },

  async createAiGateway({ db, settings, body, caller }) {
    // Outside production an entry defaults to its own environment, as in a stack.
    const own = settings.ENVIRONMENT === "production" ? null : settings.ENVIRONMENT;
    const { environment = own, ...values } = body;
    const id = await insertEntry(db, { ...values, environment });
    const created = await requireEntry(db, id);
    await sendGatewayEvent(db, created, { change: "created", caller });
    return entryBody(created);
  },

  async updateAiGateway({ db, settings, params, body, caller, expected }) {
    const found = await lockOwn(db, settings.ENVIRONMENT, params.id, { expected, caller });
    await updateEntry(db, found.id, body);
    await sendGatewayEvent(db, found, { change: "changed", caller });
    return entryBody(await requireEntry(db, found.id));
  },

  async deleteAiGateway({ db, settings, params, caller, expected }) {
    const { id, gateway_id, bound } = await lockOwn(db, settings.ENVIRONMENT, params.id, { expected, caller });
    if (bound > 0) {
      throw failure(aiGatewayErrors.ai_gateway_bound, { bound, gateway: gateway_id }, { details: { bound } });
    }
    await deleteEntry(db, id);
    await sendGatewayEvent(db, { id, gateway_id }, { change: "deleted", caller });
  },
};

const entryBody = (entry: ListedEntry): AiGateway => bodyOf(aiGateway, { ...entry, declared_in: declaredIn(entry) });

const boundBody = ({ owner, ...bound }: Binding): BoundInstance => ({
  ...bound,
  declared_in: declaredIn({ ...bound, owner }),
});

const requireEntry = async (db: Kysely<DB>, id: string): Promise<ListedEntry> =>
  requireFound(await findEntry(db, id), aiGatewayErrors.ai_gateway_not_found);

/** Locks an entry until the transaction ends. @throws Failure if this environment's dashboard cannot change it */
async function lockOwn(
  db: Kysely<DB>,
  environment: Environment,
  id: string,
  { expected, caller }: Expectation,
): Promise<ListedEntry> {
  await lockEntry(db, id);
  const found = await requireEntry(db, id);
  await requireUnchanged(db, expected, { entity: "ai_gateways", ...found }, caller);
  requireOwn(`The AI gateway ${found.gateway_id}`, found);
  if (found.declared_by !== environment) {
    const { gateway_id: gateway, declared_by } = found;
    throw failure(aiGatewayErrors.ai_gateway_declared_elsewhere, { gateway, environment: declared_by });
  }
  return found;
}
