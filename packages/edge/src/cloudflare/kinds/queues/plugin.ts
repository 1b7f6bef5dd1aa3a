import type { PluginPart } from "../../plugin/part.ts";

export const plugin: PluginPart = {
  resources: [
    {
      type: "cloudflare:index/queue:Queue",
      collection: "/accounts/{accountId}/queues",
      required: ["accountId", "queueName"],
      optional: ["settings"],
      replaceOn: ["accountId"],
      removes: "The queue with the messages that wait in it.",
      id: "queue_id",
      importId: "{accountId}",
    },
    {
      type: "cloudflare:index/queueConsumer:QueueConsumer",
      collection: "/accounts/{accountId}/queues/{queueId}/consumers",
      required: ["accountId", "queueId", "type"],
      optional: ["scriptName", "deadLetterQueue", "settings"],
      replaceOn: ["accountId", "queueId"],
      removes: "The consumer. Messages wait in the queue.",
      id: "consumer_id",
      importId: "{accountId}/{queueId}",
      // Some responses name the field `script`.
      answer: (record) => ({ ...record, script_name: record.script_name ?? record.script }),
    },
  ],
};
