import type { Kind } from "../../../providers/cloudflare/kind.ts";

export const queueConsumer: Kind = {
  type: "cloudflare:index/queueConsumer:QueueConsumer",
  collection: "/accounts/{accountId}/queues/{queueId}/consumers",
  required: ["accountId", "queueId", "type"],
  optional: ["scriptName", "deadLetterQueue", "settings"],
  replaceOn: ["accountId", "queueId"],
  id: "consumer_id",
  sameWhen: ["type"],
  importId: "{accountId}/{queueId}",
  // Some answers call the script `script`.
  answer: (record) => ({ ...record, script_name: record.script_name ?? record.script }),
};
