import { apiResource } from "../../plugin/api-resource.ts";

export const accessPolicy = apiResource({
  type: "cloudflare:index/zeroTrustAccessPolicy:ZeroTrustAccessPolicy",
  collection: "/accounts/{accountId}/access/policies",
  required: ["accountId", "name", "decision"],
  optional: ["includes", "excludes", "requires", "sessionDuration", "approvalRequired", "isolationRequired"],
  replaceOn: ["accountId"],
  removes: "The policy, from every application that uses it.",
  sameWhen: ["name"],
  renames: { includes: "include", excludes: "exclude", requires: "require" },
  importId: "{accountId}",
});
