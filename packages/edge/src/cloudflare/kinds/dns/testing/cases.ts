import { domain, zone_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, given, noHex } from "#cloudflare/api/testing/case.ts";
import { dnsRecordsApi } from "../api.ts";

export const cases: Case[] = [
  {
    part: dnsRecordsApi,
    create: async (cloudflare, n) =>
      given(
        (
          await cloudflare.dns.records.create({
            zone_id,
            name: `host-${n}`,
            type: "AAAA",
            content: "100::",
            ttl: 1,
            proxied: true,
          })
        ).id,
      ),
    read: (cloudflare, id) => cloudflare.dns.records.get(id, { zone_id }),
    expected: (n) => ({ name: `host-${n}.${domain}`, type: "AAAA", content: "100::", proxied: true, ttl: 1 }),
    list: (cloudflare) => follow(cloudflare.dns.records.list({ zone_id, per_page: 2 }), (one) => one.id),
    update: async (cloudflare, id) => {
      await cloudflare.dns.records.update(id, { zone_id, name: "moved", type: "A", content: "192.0.2.1", ttl: 300 });
      await cloudflare.dns.records.edit(id, { zone_id, name: "moved", type: "A", content: "192.0.2.2", ttl: 300 });
    },
    updated: { name: `moved.${domain}`, type: "A", content: "192.0.2.2", proxied: false, ttl: 300 },
    remove: (cloudflare, id) => cloudflare.dns.records.delete(id, { zone_id }),
    missing: { id: noHex, status: 404, code: 81044 },
  },
];
