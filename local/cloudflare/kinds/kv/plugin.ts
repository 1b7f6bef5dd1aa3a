import type { Kind } from "../../../providers/cloudflare/kind.ts";

export const kvNamespace: Kind = {
  type: "cloudflare:index/workersKvNamespace:WorkersKvNamespace",
  collection: "/accounts/{accountId}/storage/kv/namespaces",
  required: ["accountId", "title"],
  replaceOn: ["accountId"],
  sameWhen: ["title"],
  importId: "{accountId}",
};
