import type { PluginPart } from "../../plugin/part.ts";

export const plugin: PluginPart = {
  resources: [
    {
      type: "cloudflare:index/workersKvNamespace:WorkersKvNamespace",
      collection: "/accounts/{accountId}/storage/kv/namespaces",
      required: ["accountId", "title"],
      replaceOn: ["accountId"],
      removes: "The namespace with every entry in it.",
      importId: "{accountId}",
    },
  ],
};
