import type { Kysely } from "kysely";
import { findEgress, type StoredEgress } from "#database/egress/policies.ts";
import type { DB } from "#database/types.ts";
import type { Environment } from "#domain/environment.ts";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import type { egressRoutes } from "#workers/contracts/api/tenants/egress.ts";
import { requireFound } from "../../http/failure.tsx";
import type { Handlers } from "../../http/serve.ts";
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { requireUnchanged } from "../changed-by.ts";
import { lockedInstance, requireInstance } from "../required.ts";
import { egressChannelsOf } from "./channels.ts";
import { partnerEgressHandlers } from "./partners.ts";
import { egressBody, extendedAllowlist, hostsBody, previewBody, requirePolicy, storePolicy } from "./policies.ts";
import { egressSecretHandlers } from "./secrets.ts";

async function requireEgress(db: Kysely<DB>, environment: Environment, id: string): Promise<StoredEgress> {
  return requireFound(await findEgress(db, environment, id), instanceErrors.instance_not_found);
}

export const egressHandlers: Handlers<typeof egressRoutes> = {
  ...partnerEgressHandlers,
  ...egressSecretHandlers,

  async getEgress({ db, settings, params }) {
    return egressBody(settings, await requireEgress(db, settings.ENVIRONMENT, params.instance_id));
  },

  async putEgress({ db, settings, params, query, body, caller, expected, release }) {
    const { ENVIRONMENT: environment } = settings;
    const instance = await lockedInstance(db, environment, params.instance_id);
    await requireUnchanged(db, expected, { entity: "instances", ...instance }, caller);
    const channels = await egressChannelsOf(db, settings, { instanceId: instance.id });
    const policy = body.policy && requirePolicy(settings, body.policy, channels);
    if (query.preview === "true") {
      const stored = await requireEgress(db, environment, instance.id);
      return previewBody(settings, { ...stored, tenant: policy }, instance.client.slug, release);
    }
    await storePolicy(db, instance, { policy, by: caller.email });
    return { ...egressBody(settings, await requireEgress(db, environment, instance.id)), would_refuse: null };
  },

  async listEgressHosts({ db, settings, params, release }) {
    const { client } = await requireInstance(db, settings.ENVIRONMENT, params.instance_id);
    await release();
    return hostsBody(await new TenantOrders(settings).egress(client.slug));
  },

  async createEgressAllowlist({ db, settings, params, body, caller, expected, actOutside }) {
    const { ENVIRONMENT: environment } = settings;
    const { client } = await requireInstance(db, environment, params.instance_id);
    // Before any lock, because the tenant may be slow.
    actOutside();
    const { hosts } = await new TenantOrders(settings).egress(client.slug);
    const instance = await lockedInstance(db, environment, params.instance_id);
    await requireUnchanged(db, expected, { entity: "instances", ...instance }, caller);
    const { tenant } = await requireEgress(db, environment, instance.id);
    const channels = await egressChannelsOf(db, settings, { instanceId: instance.id });
    const policy = extendedAllowlist(settings, tenant, { hosts, channels });
    if (!body.store) return { policy, stored: null };
    await storePolicy(db, instance, { policy, by: caller.email });
    return { policy, stored: egressBody(settings, await requireEgress(db, environment, instance.id)) };
  },
};
