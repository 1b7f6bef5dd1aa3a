import type { consoleEgressRoutes } from "#workers/contracts/api/console/egress.ts";
import { egressBody, hostsBody, previewBody, requirePolicy } from "../../api/egress/policies.ts";
import type { Handlers } from "../../http/serve.ts";
import { requireVersion } from "../../http/versions.ts";
import { TenantOrders } from "../../tenants/tenant-orders.ts";
import { channelsOf, findConsoleEgress, storeConsoleEgress } from "./policies.ts";
import { deleteSecret, findSecrets, storeSecret } from "./secrets.ts";

export const consoleEgressHandlers: Handlers<typeof consoleEgressRoutes> = {
  getConsoleEgress: async ({ db, settings, caller }) => egressBody(settings, await findConsoleEgress(db, caller)),

  async putConsoleEgress({ db, settings, query, body, caller, origin, expected, release }) {
    const present = await findConsoleEgress(db, caller);
    const policy = body.policy && requirePolicy(settings, body.policy, await channelsOf(settings, present));
    if (query.preview === "true") {
      requireVersion(expected, present.version);
      return previewBody(settings, { ...present, tenant: policy }, caller.slug, release);
    }
    await storeConsoleEgress(db, caller, { present, policy, versions: expected, origin });
    return { ...egressBody(settings, await findConsoleEgress(db, caller)), would_refuse: null };
  },

  async listConsoleEgressHosts({ db, settings, caller, release }) {
    // Only an ADMIN gets here, and a user who lost the role meanwhile is refused.
    await findConsoleEgress(db, caller);
    await release();
    return hostsBody(await new TenantOrders(settings).egress(caller.slug));
  },

  listConsoleEgressSecrets: async ({ db, caller }) => ({ data: await findSecrets(db, caller) }),

  createConsoleEgressSecret: ({ db, settings, body: secret, caller, origin }) =>
    storeSecret(db, settings, caller, { secret, origin }),

  deleteConsoleEgressSecret: ({ db, params: { secret_id: id }, caller, origin }) =>
    deleteSecret(db, caller, { id, origin }),
};
