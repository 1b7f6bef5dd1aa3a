import { domain, zone_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, given, noHex } from "#cloudflare/api/testing/case.ts";
import { healthchecksApi } from "../api.ts";

const address = `acme.${domain}`;

export const cases: Case[] = [
  {
    part: healthchecksApi,
    create: async (cloudflare, n) =>
      given((await cloudflare.healthchecks.create({ zone_id, name: `tenant-${n}`, address, type: "HTTPS" })).id),
    read: (cloudflare, id) => cloudflare.healthchecks.get(id, { zone_id }),
    expected: (n) => ({ name: `tenant-${n}`, address, type: "HTTPS", interval: 60, retries: 2, status: "unknown" }),
    list: (cloudflare) => follow(cloudflare.healthchecks.list({ zone_id, per_page: 2 }), (one) => one.id),
    update: async (cloudflare, id) => {
      const http_config = { path: "/api/health", expected_codes: ["200"] };
      await cloudflare.healthchecks.update(id, { zone_id, name: "moved", address, http_config });
      await cloudflare.healthchecks.edit(id, { zone_id, name: "moved", address, suspended: true });
    },
    updated: {
      name: "moved",
      type: "HTTP",
      http_config: { path: "/api/health" },
      suspended: true,
      status: "suspended",
    },
    remove: (cloudflare, id) => cloudflare.healthchecks.delete(id, { zone_id }),
    missing: { id: noHex, status: 404, code: 1001 },
  },
];
