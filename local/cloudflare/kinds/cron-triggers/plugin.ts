import type { Kind } from "../../../providers/cloudflare/kind.ts";

const path = "/accounts/{accountId}/workers/scripts/{scriptName}/schedules";

export const workersCronTrigger: Kind = {
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
};
