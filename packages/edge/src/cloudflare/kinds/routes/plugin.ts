import type { PluginPart } from "../../plugin/part.ts";

export const plugin: PluginPart = {
  resources: [
    {
      type: "cloudflare:index/workersRoute:WorkersRoute",
      collection: "/zones/{zoneId}/workers/routes",
      required: ["zoneId", "pattern"],
      optional: ["script"],
      replaceOn: ["zoneId"],
      removes: "The route. Its requests reach the origin, or a less specific route.",
      importId: "{zoneId}",
    },
  ],
};
