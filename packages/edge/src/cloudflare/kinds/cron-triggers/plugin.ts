import type { PluginPart } from "../../plugin/part.ts";

const path = "/accounts/{accountId}/workers/scripts/{scriptName}/schedules";

export const plugin: PluginPart = {
  resources: [
    {
      type: "cloudflare:index/workersCronTrigger:WorkersCronTrigger",
      collection: path,
      item: path,
      required: ["accountId", "scriptName", "schedules"],
      replaceOn: ["accountId", "scriptName"],
      removes: "Nothing: the schedules stay until the script is deleted or others are written.",
      namedBy: "scriptName",
      create: "put",
      importId: "{accountId}",
      body: (body) => body.schedules,
      // Cloudflare's provider deletes nothing.
      remove: async () => {},
    },
  ],
};
