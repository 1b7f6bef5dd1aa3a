import { apiResource } from "../../plugin/api-resource.ts";
import type { PluginPart } from "../../plugin/part.ts";

const path = "/accounts/{accountId}/workers/scripts/{scriptName}/schedules";

export const plugin: PluginPart = {
  resources: [
    apiResource({
      type: "cloudflare:index/workersCronTrigger:WorkersCronTrigger",
      collection: path,
      item: path,
      required: ["accountId", "scriptName", "schedules"],
      replaceOn: ["accountId", "scriptName"],
      namedBy: "scriptName",
      create: "put",
      importId: "{accountId}",
      body: (body) => body.schedules,
      remove: async (api, schedules) => {
        // A script that is gone took its schedules along.
        if ((await api.get(schedules)) !== undefined) await api.send("put", schedules, []);
      },
    }),
  ],
};
