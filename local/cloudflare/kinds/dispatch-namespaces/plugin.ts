import type { Kind } from "../../../providers/cloudflare/kind.ts";

export const dispatchNamespace: Kind = {
  type: "cloudflare:index/workersForPlatformsDispatchNamespace:WorkersForPlatformsDispatchNamespace",
  collection: "/accounts/{accountId}/workers/dispatch/namespaces",
  required: ["accountId", "name"],
  replaceOn: ["accountId", "name"],
  namedBy: "name",
  update: "never",
  outputs: { createdBy: null, modifiedBy: null },
  importId: "{accountId}",
};
