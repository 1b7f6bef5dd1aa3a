/** What the routes of the pool do. */
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
import type { AiGateway, aiGatewayRoutes, BoundInstance } from "#workers/contracts/api/tenants/ai-gateways.ts";
import { pageOf, placeAfter } from "../../http/cursors.ts";
import { Failure } from "../../http/failure.tsx";
import { declaredIn, requireOwn } from "../../http/git-owned.ts";
import type { Handlers } from "../../http/serve.ts";
import { requireVersion } from "../../http/versions.ts";
import { tellEntry } from "./news.ts";

export const aiGatewayHandlers: Handlers<typeof aiGatewayRoutes> = {
  async listAiGateways({ db, query }) {
    const { limit } = query;
    const found = await listEntries(db, { limit: limit + 1, after: placeAfter(query.after) });
    return pageOf(found, { limit, body: entryBody, placeOf: ({ gateway_id, id }) => [gateway_id, id] });
  },

  async getAiGateway({ db, params }) {
    return entryBody(await requireEntry(db, params.id));
  },

  async listBoundInstances({ db, params, query }) {
    const { id } = await requireEntry(db, params.id);
    const { limit } = query;
    const found = await listBindings(db, id, { limit: limit + 1, after: placeAfter(query.after) });
    return pageOf(found, {
      limit,
      body: boundBody,
      placeOf: ({ client }) => [client.slug, client.id],
    });
  },

  async createAiGateway({ db, settings, body, caller }) {
    // Outside production an entry is its own environment's, so that no other hangs on it; a stack does the same.
    const own = settings.ENVIRONMENT === "production" ? null : settings.ENVIRONMENT;
    const { environment = own, ...values } = body;
    const id = await insertEntry(db, { ...values, environment });
    const created = await requireEntry(db, id);
    await tellEntry(db, created, { change: "created", caller });
    return entryBody(created);
  },

  async updateAiGateway({ db, settings, params, body, caller, expected }) {
    const found = await lockOwn(db, settings.ENVIRONMENT, params.id, expected);
    await updateEntry(db, found.id, body);
    await tellEntry(db, found, { change: "changed", caller });
    return entryBody(await requireEntry(db, found.id));
  },

  async deleteAiGateway({ db, settings, params, caller, expected }) {
    const { id, gateway_id, bound } = await lockOwn(db, settings.ENVIRONMENT, params.id, expected);
    if (bound > 0) {
      throw new Failure("conflict", `${gateway_id} is bound by ${bound} instances: move them to another first.`, {
        bound,
      });
    }
    await deleteEntry(db, id);
    await tellEntry(db, { id, gateway_id }, { change: "deleted", caller });
  },
};

const entryBody = (entry: ListedEntry): AiGateway => bodyOf(aiGateway, { ...entry, declared_in: declaredIn(entry) });

const boundBody = ({ owner, ...bound }: Binding): BoundInstance => ({
  ...bound,
  declared_in: declaredIn({ ...bound, owner }),
});

async function requireEntry(db: Kysely<DB>, id: string): Promise<ListedEntry> {
  const found = await findEntry(db, id);
  if (found === undefined) throw new Failure("not_found", "There is no such entry of the pool.");
  return found;
}

/** An entry that the dashboard of this environment may change, as it stays until the transaction's end. */
async function lockOwn(
  db: Kysely<DB>,
  environment: Environment,
  id: string,
  expected: readonly number[] | undefined,
): Promise<ListedEntry> {
  await lockEntry(db, id);
  const found = await requireEntry(db, id);
  requireVersion(expected, found.version);
  requireOwn(`The AI gateway ${found.gateway_id}`, found);
  if (found.declared_by !== environment) {
    throw new Failure("conflict", `${found.gateway_id} is the ${found.declared_by} dashboard's: change it there.`);
  }
  return found;
}
