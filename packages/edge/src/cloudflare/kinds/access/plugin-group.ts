import { apiResource } from "../../plugin/api-resource.ts";

export const accessGroup = apiResource({
  type: "cloudflare:index/zeroTrustAccessGroup:ZeroTrustAccessGroup",
  collection: "/accounts/{accountId}/access/groups",
  required: ["accountId", "name", "includes"],
  optional: ["excludes", "requires", "isDefault"],
  replaceOn: ["accountId"],
  removes: "The group, from every policy that includes it.",
  sameWhen: ["name"],
  renames: { includes: "include", excludes: "exclude", requires: "require" },
  importId: "accounts/{accountId}",
});
