import { apiResource } from "../../plugin/api-resource.ts";
import type { PluginPart } from "../../plugin/part.ts";

export const plugin: PluginPart = {
  resources: [
    apiResource({
      type: "cloudflare:index/workersRoute:WorkersRoute",
      collection: "/zones/{zoneId}/workers/routes",
      required: ["zoneId", "pattern"],
      optional: ["script"],
      replaceOn: ["zoneId"],
      sameWhen: ["pattern"],
      importId: "{zoneId}",
    }),
  ],
};
