import { account_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, given } from "#cloudflare/api/testing/case.ts";
import { dispatchNamespacesApi } from "../api.ts";

export const cases: Case[] = [
  {
    part: dispatchNamespacesApi,
    create: async (cloudflare, n) =>
      given(
        (await cloudflare.workersForPlatforms.dispatch.namespaces.create({ account_id, name: `space-${n}` }))
          .namespace_name,
      ),
    read: (cloudflare, id) => cloudflare.workersForPlatforms.dispatch.namespaces.get(id, { account_id }),
    expected: (n) => ({ namespace_name: `space-${n}`, script_count: 0 }),
    list: (cloudflare) =>
      follow(cloudflare.workersForPlatforms.dispatch.namespaces.list({ account_id }), (one) => one.namespace_name),
    pages: 1,
    remove: (cloudflare, id) => cloudflare.workersForPlatforms.dispatch.namespaces.delete(id, { account_id }),
    missing: { id: "nowhere", status: 404, code: 100119 },
  },
];
