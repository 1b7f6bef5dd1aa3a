import { domain, zone_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, given, noHex, withScript } from "#cloudflare/api/testing/case.ts";
import { routesApi } from "../api.ts";

export const cases: Case[] = [
  {
    part: routesApi,
    prepare: withScript,
    create: async (cloudflare, n) =>
      given((await cloudflare.workers.routes.create({ zone_id, pattern: `h${n}.${domain}/*`, script: "app" })).id),
    read: (cloudflare, id) => cloudflare.workers.routes.get(id, { zone_id }),
    expected: (n) => ({ pattern: `h${n}.${domain}/*`, script: "app" }),
    list: (cloudflare) => follow(cloudflare.workers.routes.list({ zone_id }), (one) => one.id),
    pages: 1,
    update: (cloudflare, id) => cloudflare.workers.routes.update(id, { zone_id, pattern: `*.${domain}/*` }),
    updated: { pattern: `*.${domain}/*` },
    remove: (cloudflare, id) => cloudflare.workers.routes.delete(id, { zone_id }),
    missing: { id: noHex, status: 404, code: 10009 },
  },
];
