import { account_id } from "../../../api/testing/api-server.ts";
import { type Case, follow } from "../../../api/testing/case.ts";
import { aiGatewaysApi } from "../api.ts";

const settings = {
  cache_invalidate_on_update: true,
  cache_ttl: 0,
  collect_logs: true,
  rate_limiting_interval: 0,
  rate_limiting_limit: 0,
  dlp: { enabled: true, action: "BLOCK" as const, profiles: ["pii"] },
};

export const cases: Case[] = [
  {
    part: aiGatewaysApi,
    create: async (cloudflare, n) =>
      (await cloudflare.aiGateway.create({ account_id, id: `pool-${n}`, ...settings })).id,
    read: (cloudflare, id) => cloudflare.aiGateway.get(id, { account_id }),
    expected: (n) => ({ id: `pool-${n}`, ...settings }),
    list: (cloudflare) => follow(cloudflare.aiGateway.list({ account_id, per_page: 2 }), (one) => one.id),
    update: (cloudflare, id) =>
      cloudflare.aiGateway.update(id, { account_id, ...settings, authentication: true, cache_ttl: 60 }),
    updated: { ...settings, authentication: true, cache_ttl: 60 },
    remove: (cloudflare, id) => cloudflare.aiGateway.delete(id, { account_id }),
    missing: { id: "nowhere", status: 404, code: 7002 },
  },
];
