import type { Kysely } from "kysely";
import {
  deleteProviderKey,
  insertProviderKey,
  type ListedProviderKey,
  listProviderKeys,
} from "#database/provider-keys/provider-keys.ts";
import type { KnownInstance } from "#database/tenants/instances.ts";
import type { DB } from "#database/types.ts";
import { requestJob } from "#database/work/job-request.ts";
import { bodyOf } from "#domain/entities/entity.ts";
import { providerKey } from "#domain/entities/provider-key.ts";
import type { Environment } from "#domain/environment.ts";
import { providerKeyErrors } from "#domain/errors/api/provider-keys.ts";
import type { KeyProvider } from "#domain/provider-keys/providers.ts";
import type { providerKeyRoutes } from "#workers/contracts/api/tenants/provider-keys.ts";
import { requireFound } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { sendInstanceEvent } from "../events.ts";
import { lockedInstance, requireInstance } from "../required.ts";
import { requireAcceptedKey } from "./key-check.ts";
import { sealedKey } from "./sealed-key.ts";

export const providerKeyHandlers: Handlers<typeof providerKeyRoutes> = {
  async listProviderKeys({ db, settings, params }) {
    const { id } = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    const found = await listProviderKeys(db, settings.ENVIRONMENT, id);
    return { data: found.map((one) => bodyOf(providerKey, one)) };
  },

  async putProviderKey({ db, settings, params, body: { key }, caller }) {
    const { ENVIRONMENT: environment } = settings;
    const { instance_id, provider } = params;
    await requireInstance(db, environment, instance_id);
    // Before any lock, because the provider may be slow.
    await requireAcceptedKey(settings, provider, key);
    const instance = await lockedInstance(db, environment, instance_id);
    const replaced = await deleteProviderKey(db, instance.id, provider);
    const sealed = await sealedKey(settings, provider, key);
    const { id } = sealed;
    await insertProviderKey(db, { ...sealed, instanceId: instance.id, provider, createdBy: caller.email });
    const what = replaced === undefined ? "created" : "replaced";
    await announce(db, instance, { what, id, provider, by: caller.email });
    return bodyOf(providerKey, await requireKey(db, environment, instance, provider));
  },

  async deleteProviderKey({ db, settings, params, caller }) {
    const { provider } = params;
    const instance = await lockedInstance(db, settings.ENVIRONMENT, params.instance_id);
    const deleted = await deleteProviderKey(db, instance.id, provider);
    const id = requireFound(deleted, providerKeyErrors.provider_key_not_found);
    await announce(db, instance, { what: "deleted", id, provider, by: caller.email });
  },
};

async function requireKey(
  db: Kysely<DB>,
  environment: Environment,
  { id }: KnownInstance,
  provider: KeyProvider,
): Promise<ListedProviderKey> {
  const found = (await listProviderKeys(db, environment, id)).find((one) => one.provider === provider);
  return requireFound(found, providerKeyErrors.provider_key_not_found);
}

/** Requests that the automation service sends the tenant its keys, and sends an event. */
async function announce(
  db: Kysely<DB>,
  instance: KnownInstance,
  {
    what,
    id,
    provider,
    by,
  }: { what: "created" | "replaced" | "deleted"; id: string; provider: KeyProvider; by: string },
): Promise<void> {
  const { id: clientId, slug } = instance.client;
  await requestJob(db, { kind: "push_provider_keys", clientId, instanceId: instance.id, slug, requestedBy: by });
  await sendInstanceEvent(db, instance, `provider_key.${what}`, by, { provider, key_id: id });
}
