import type { Kind } from "../../../providers/cloudflare/kind.ts";

export const hyperdriveConfig: Kind = {
  type: "cloudflare:index/hyperdriveConfig:HyperdriveConfig",
  collection: "/accounts/{accountId}/hyperdrive/configs",
  required: ["accountId", "name"],
  optional: ["origin", "caching", "mtls", "originConnectionLimit"],
  replaceOn: ["accountId"],
  sameWhen: ["name"],
  writeOnly: ["origin.password", "origin.accessClientSecret"],
  outputs: { restartedOn: null },
  importId: "{accountId}",
};
