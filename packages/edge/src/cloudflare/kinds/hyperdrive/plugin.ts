import type { PluginPart } from "../../plugin/part.ts";

export const plugin: PluginPart = {
  resources: [
    {
      type: "cloudflare:index/hyperdriveConfig:HyperdriveConfig",
      collection: "/accounts/{accountId}/hyperdrive/configs",
      required: ["accountId", "name"],
      optional: ["origin", "caching", "mtls", "originConnectionLimit"],
      replaceOn: ["accountId"],
      removes: "The configuration. Workers that are bound to its id cannot connect.",
      writeOnly: ["origin.password", "origin.accessClientSecret"],
      outputs: { restartedOn: null },
      importId: "{accountId}",
    },
  ],
};
