import type { Kind } from "../../../providers/cloudflare/kind.ts";

export const accessPolicy: Kind = {
  type: "cloudflare:index/zeroTrustAccessPolicy:ZeroTrustAccessPolicy",
  collection: "/accounts/{accountId}/access/policies",
  required: ["accountId", "name", "decision"],
  optional: ["includes", "excludes", "requires", "sessionDuration", "approvalRequired", "isolationRequired"],
  replaceOn: ["accountId"],
  sameWhen: ["name"],
  renames: { includes: "include", excludes: "exclude", requires: "require" },
  importId: "{accountId}",
};
