import type { PluginPart } from "../../plugin/part.ts";

export const plugin: PluginPart = {
  resources: [
    {
      type: "cloudflare:index/workersForPlatformsDispatchNamespace:WorkersForPlatformsDispatchNamespace",
      collection: "/accounts/{accountId}/workers/dispatch/namespaces",
      required: ["accountId", "name"],
      replaceOn: ["accountId", "name"],
      removes: "The namespace with every script in it, and so their Durable Objects.",
      namedBy: "name",
      update: "never",
      outputs: { createdBy: null, modifiedBy: null },
      importId: "{accountId}",
    },
  ],
};
