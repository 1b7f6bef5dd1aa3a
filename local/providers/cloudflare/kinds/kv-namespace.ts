import type { Kind } from "../kind.ts";

export const kvNamespace: Kind = {
  type: "cloudflare:index/workersKvNamespace:WorkersKvNamespace",
  collection: "/accounts/{accountId}/storage/kv/namespaces",
  required: ["accountId", "title"],
  replaceOn: ["accountId"],
  sameWhen: ["title"],
  importId: "{accountId}",
};
