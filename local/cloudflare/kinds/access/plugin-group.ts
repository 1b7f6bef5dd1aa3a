import type { Kind } from "../../../providers/cloudflare/kind.ts";

export const accessGroup: Kind = {
  type: "cloudflare:index/zeroTrustAccessGroup:ZeroTrustAccessGroup",
  collection: "/accounts/{accountId}/access/groups",
  required: ["accountId", "name", "includes"],
  optional: ["excludes", "requires", "isDefault"],
  replaceOn: ["accountId"],
  sameWhen: ["name"],
  renames: { includes: "include", excludes: "exclude", requires: "require" },
  importId: "accounts/{accountId}",
};
