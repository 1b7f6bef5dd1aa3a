import { missing } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp, hexId } from "#account/identifiers.ts";
import { ApiError, apiPart, numberedPage, readBody, recordFinder, successResponse } from "../../api/operations.ts";
import type { QueueConsumerRecord, QueueRecord } from "./records.ts";

const invalid = 10026;
const queueName = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const settings = z.looseObject({
  delivery_delay: z.int().min(0).exactOptional(),
  delivery_paused: z.boolean().exactOptional(),
  message_retention_period: z.int().min(60).exactOptional(),
});
const newQueue = z.looseObject({ queue_name: z.string(), settings: settings.exactOptional() });
const queueChange = z.looseObject({ queue_name: z.string().exactOptional(), settings: settings.exactOptional() });
const defaults = { delivery_delay: 0, delivery_paused: false, message_retention_period: 345_600 };

export const findQueue = recordFinder("queue", 11000, "The specified queue does not exist.");

export function consumerResult(queue: QueueRecord, consumer: QueueConsumerRecord) {
  const { id, queue_id: _, ...rest } = consumer;
  return { consumer_id: id, ...rest, queue_name: queue.queue_name };
}

export const queuesApi = apiPart({
  title: "Queues",
  operations: {
    "POST /accounts/:account_id/queues": "queues.create",
    "GET /accounts/:account_id/queues": "queues.list",
    "GET /accounts/:account_id/queues/:queue_id": "queues.get",
    "PUT /accounts/:account_id/queues/:queue_id": "queues.update",
    "PATCH /accounts/:account_id/queues/:queue_id": "queues.edit",
    "DELETE /accounts/:account_id/queues/:queue_id": "queues.delete",
  },
  differs: [missing("Only Workers send and receive messages.")],
  handlers: ({ limits, store }) => {
    const checkName = (name: string, id: string): void => {
      if (!queueName.test(name)) throw new ApiError(400, 11003, `Invalid queue name: '${name}'`);
      if (store.list("queue").some((other) => other.queue_name === name && other.id !== id)) {
        const message = `Queue name '${name}' is already taken. Please use a different name and try again.`;
        throw new ApiError(409, 11009, message);
      }
    };
    const checkSettings = ({
      delivery_delay = 0,
      message_retention_period = 0,
    }: z.infer<typeof settings> = {}): void => {
      limits.check("queueDelay", delivery_delay);
      limits.check("queueRetention", message_retention_period);
    };
    const consumersOf = (queue: QueueRecord) =>
      store.list("queue_consumer").filter((consumer) => consumer.queue_id === queue.id);
    const producersOf = (queue: QueueRecord) =>
      store
        .list("script")
        .filter((script) => script.bindings.some((one) => one.type === "queue" && one.queue_name === queue.queue_name))
        .map((script) => ({ type: "worker", script: script.name }));
    const toResult = (queue: QueueRecord) => {
      const { id, ...fields } = queue;
      const consumers = consumersOf(queue).map((consumer) => consumerResult(queue, consumer));
      const producers = producersOf(queue);
      return {
        queue_id: id,
        ...fields,
        producers,
        producers_total_count: producers.length,
        consumers,
        consumers_total_count: consumers.length,
      };
    };
    const change = (queue: QueueRecord, body: z.infer<typeof queueChange>): Response => {
      const name = body.queue_name ?? queue.queue_name;
      checkName(name, queue.id);
      checkSettings(body.settings);
      const changed = {
        ...queue,
        queue_name: name,
        settings: { ...queue.settings, ...body.settings },
        modified_on: currentTimestamp(),
      };
      store.put("queue", changed);
      return successResponse(toResult(changed));
    };
    return {
      "POST /accounts/:account_id/queues": (call) => {
        const body = readBody(call, newQueue, invalid);
        const time = currentTimestamp();
        const queue: QueueRecord = {
          id: hexId(),
          queue_name: body.queue_name,
          settings: { ...defaults, ...body.settings },
          created_on: time,
          modified_on: time,
        };
        checkName(queue.queue_name, queue.id);
        checkSettings(body.settings);
        limits.check("queues", store.list("queue").length + 1);
        store.put("queue", queue);
        return successResponse(toResult(queue));
      },
      "GET /accounts/:account_id/queues": ({ query }) => {
        const name = query.get("name");
        const found = store.list("queue").filter((queue) => name === null || queue.queue_name === name);
        return numberedPage(
          found.map(toResult),
          query.has("per_page") ? query : new URLSearchParams([...query, ["per_page", "1000"]]),
        );
      },
      "GET /accounts/:account_id/queues/:queue_id": ({ params }) =>
        successResponse(toResult(findQueue(store, params.queue_id))),
      "PUT /accounts/:account_id/queues/:queue_id": (call) => {
        const queue = findQueue(store, call.params.queue_id);
        return change({ ...queue, settings: defaults }, readBody(call, queueChange, invalid));
      },
      "PATCH /accounts/:account_id/queues/:queue_id": (call) =>
        change(findQueue(store, call.params.queue_id), readBody(call, queueChange, invalid)),
      "DELETE /accounts/:account_id/queues/:queue_id": ({ params }) => {
        const queue = findQueue(store, params.queue_id);
        if (store.list("queue_consumer").some((consumer) => consumer.dead_letter_queue === queue.queue_name)) {
          const message = `Cannot delete queue '${queue.queue_name}' that serves as dead letter queue for consumers`;
          throw new ApiError(400, 11005, message);
        }
        // Code: github.com/alchemy-run/distilled/pull/432. The text is not documented.
        const users = producersOf(queue).map(({ script }) => script);
        if (users.length > 0) {
          throw new ApiError(400, 11005, `Cannot delete queue '${queue.queue_name}' bound to ${users.join(", ")}`);
        }
        for (const consumer of consumersOf(queue)) store.delete("queue_consumer", consumer.id);
        store.delete("queue", queue.id);
        return successResponse(null);
      },
    };
  },
});
