import * as cloudflare from "@pulumi/cloudflare";
import { domain, zone_id as zoneId } from "#cloudflare/api/testing/api-server.ts";
import { declared } from "#cloudflare/plugin/testing/declared.ts";

export const record = declared({
  make: ({ edition }) =>
    new cloudflare.DnsRecord("wildcard", {
      zoneId,
      name: `*.${domain}`,
      type: "AAAA",
      content: `100::${edition}`,
      ttl: 1,
      proxied: true,
    }),
  record: "dns_record",
  import: { type: "dnsRecord:DnsRecord", id: ({ id }) => `${zoneId}/${id}` },
});
