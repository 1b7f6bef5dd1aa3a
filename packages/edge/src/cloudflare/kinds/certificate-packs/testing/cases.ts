import { zone_id } from "#cloudflare/api/testing/api-server.ts";
import { type Case, follow } from "#cloudflare/api/testing/case.ts";
import { certificatePacksApi } from "../certificate-packs.ts";

export const cases: Case[] = [
  {
    part: certificatePacksApi,
    given: ["universal"],
    list: (cloudflare) => follow(cloudflare.ssl.certificatePacks.list({ zone_id, per_page: 5 }), (one) => one.type),
    call: (cloudflare) => cloudflare.ssl.certificatePacks.list({ zone_id }),
  },
];
