import type { PluginPart } from "../../plugin/part.ts";

export const plugin: PluginPart = {
  resources: [
    {
      type: "cloudflare:index/dnsRecord:DnsRecord",
      collection: "/zones/{zoneId}/dns_records",
      required: ["zoneId", "name", "type", "ttl"],
      optional: ["content", "proxied", "priority", "comment", "tags", "data", "settings"],
      replaceOn: ["zoneId", "type"],
      removes: "The record. Its host resolves to nothing.",
      outputs: { commentModifiedOn: null, includeShadowMetadata: null, tagsModifiedOn: null },
      importId: "{zoneId}",
    },
  ],
};
