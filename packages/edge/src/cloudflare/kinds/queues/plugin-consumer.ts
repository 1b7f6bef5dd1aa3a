import { apiResource } from "../../plugin/api-resource.ts";

export const queueConsumer = apiResource({
  type: "cloudflare:index/queueConsumer:QueueConsumer",
  collection: "/accounts/{accountId}/queues/{queueId}/consumers",
  required: ["accountId", "queueId", "type"],
  optional: ["scriptName", "deadLetterQueue", "settings"],
  replaceOn: ["accountId", "queueId"],
  removes: "The consumer. Messages wait in the queue.",
  id: "consumer_id",
  sameWhen: ["type"],
  importId: "{accountId}/{queueId}",
  // Some responses name the field `script`.
  answer: (record) => ({ ...record, script_name: record.script_name ?? record.script }),
});
