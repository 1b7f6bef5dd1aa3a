import * as z from "zod";
import { bindingType } from "../../binding.ts";

export const queueBinding = bindingType(
  { queue_name: z.string().min(1), delivery_delay: z.coerce.number().int().min(0).exactOptional() },
  {
    missing: ({ queue_name: name }, store) =>
      store.list("queue").some((queue) => queue.queue_name === name)
        ? undefined
        : [11000, `Queue '${name}' not found.`],
    connect({ queue_name: queueName, delivery_delay: deliveryDelay }, script) {
      if (script.namespace !== undefined) return { unavailable: "queues are available to scripts of the account only" };
      return {
        option: "queueProducers",
        value: { queueName, ...(deliveryDelay === undefined ? {} : { deliveryDelay }) },
      };
    },
  },
);
