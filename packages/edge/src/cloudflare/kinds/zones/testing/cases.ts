import { domain, zone_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow, noHex } from "#cloudflare/api/testing/case.ts";
import { zonesApi } from "../zones.ts";

export const cases: Case[] = [
  {
    part: zonesApi,
    given: [zone_id],
    read: (cloudflare, id) => cloudflare.zones.get({ zone_id: id }),
    expected: () => ({ id: zone_id, name: domain }),
    list: (cloudflare) => follow(cloudflare.zones.list({ name: domain, per_page: 5 }), (one) => one.id),
    missing: { id: noHex, status: 404, code: 1001 },
  },
];
