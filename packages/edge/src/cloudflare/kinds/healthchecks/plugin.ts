import { splitWords } from "../../api/operations.ts";
import type { PluginPart } from "../../plugin/part.ts";

export const plugin: PluginPart = {
  resources: [
    {
      type: "cloudflare:index/healthcheck:Healthcheck",
      collection: "/zones/{zoneId}/healthchecks",
      required: ["zoneId", "name", "address"],
      optional: splitWords(`
        type description interval retries timeout consecutiveFails consecutiveSuccesses suspended httpConfig
        tcpConfig checkRegions
      `),
      replaceOn: ["zoneId"],
      removes: "The health check and its history.",
      outputs: { tcpConfig: null },
      importId: "{zoneId}",
    },
  ],
};
