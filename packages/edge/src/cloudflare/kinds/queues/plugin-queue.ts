import { apiResource } from "../../plugin/api-resource.ts";

export const queue = apiResource({
  type: "cloudflare:index/queue:Queue",
  collection: "/accounts/{accountId}/queues",
  required: ["accountId", "queueName"],
  optional: ["settings"],
  replaceOn: ["accountId"],
  removes: "The queue with the messages that wait in it.",
  id: "queue_id",
  sameWhen: ["queueName"],
  importId: "{accountId}",
});
