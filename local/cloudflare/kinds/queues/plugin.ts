import type { Kind } from "../../../providers/cloudflare/kind.ts";

export const queue: Kind = {
  type: "cloudflare:index/queue:Queue",
  collection: "/accounts/{accountId}/queues",
  required: ["accountId", "queueName"],
  optional: ["settings"],
  replaceOn: ["accountId"],
  id: "queue_id",
  sameWhen: ["queueName"],
  importId: "{accountId}",
};
