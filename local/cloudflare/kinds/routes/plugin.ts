import type { Kind } from "../../../providers/cloudflare/kind.ts";

export const workersRoute: Kind = {
  type: "cloudflare:index/workersRoute:WorkersRoute",
  collection: "/zones/{zoneId}/workers/routes",
  required: ["zoneId", "pattern"],
  optional: ["script"],
  replaceOn: ["zoneId"],
  sameWhen: ["pattern"],
  importId: "{zoneId}",
};
