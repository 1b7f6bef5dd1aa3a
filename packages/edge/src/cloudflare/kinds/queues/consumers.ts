import { missing } from "@tenantry/std/difference";
import * as z from "zod";
import { currentTimestamp, hexId } from "#account/identifiers.ts";
import type { RefusedLimit } from "#limits/edge-limits.ts";
import { ApiError, apiPart, readBody, successResponse, wholeList } from "../../api/operations.ts";
import { consumerResult, findQueue } from "./api.ts";
import type { QueueConsumerRecord, QueueRecord } from "./records.ts";

const invalid = 10026;
const dead_letter_queue = z.string().exactOptional();
const settings = z.looseObject({
  batch_size: z.int().min(1).exactOptional(),
  max_concurrency: z.int().min(1).nullish(),
  max_retries: z.int().min(0).exactOptional(),
  max_wait_time_ms: z.int().min(0).exactOptional(),
  retry_delay: z.int().min(0).exactOptional(),
});
const limitOf = {
  batch_size: "queueBatch",
  max_concurrency: "queueConcurrency",
  max_retries: "queueRetries",
  max_wait_time_ms: "queueBatchWait",
  retry_delay: "queueDelay",
} as const satisfies Record<keyof z.infer<typeof settings>, RefusedLimit>;
const consumerBody = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("worker"),
    script_name: z.string().min(1).exactOptional(),
    script: z.string().min(1).exactOptional(),
    settings: settings.default({}),
    dead_letter_queue,
  }),
  z.looseObject({ type: z.literal("http_pull"), settings: settings.default({}), dead_letter_queue }),
]);
const defaults = { batch_size: 10, max_retries: 3, max_wait_time_ms: 5000, retry_delay: 0 };

export const queueConsumersApi = apiPart({
  title: "Queue consumers",
  operations: {
    "POST /accounts/:account_id/queues/:queue_id/consumers": "queues.consumers.create",
    "GET /accounts/:account_id/queues/:queue_id/consumers": "queues.consumers.list",
    "GET /accounts/:account_id/queues/:queue_id/consumers/:consumer_id": "queues.consumers.get",
    "PUT /accounts/:account_id/queues/:queue_id/consumers/:consumer_id": "queues.consumers.update",
    "DELETE /accounts/:account_id/queues/:queue_id/consumers/:consumer_id": "queues.consumers.delete",
  },
  differs: [missing("An `http_pull` consumer is stored; messages cannot be pulled.")],
  handlers: ({ limits, store }) => {
    const find = (queue: QueueRecord, id: string): QueueConsumerRecord => {
      const consumer = store.get("queue_consumer", id);
      if (consumer?.queue_id !== queue.id) throw new ApiError(404, 11006, "The specified consumer does not exist.");
      return consumer;
    };
    const ofQueue = (queue: QueueRecord) => store.list("queue_consumer").filter((one) => one.queue_id === queue.id);
    const save = (queue: QueueRecord, id: string, created_on: string, body: z.infer<typeof consumerBody>): Response => {
      const script = body.type === "worker" ? (body.script_name ?? body.script) : undefined;
      if (body.type === "worker" && script === undefined) throw new ApiError(400, invalid, "script_name: is required");
      if (script !== undefined && store.get("script", script) === undefined) {
        throw new ApiError(400, 11016, `The Worker ${script} of this consumer does not exist.`);
      }
      for (const [name, limit] of Object.entries(limitOf) as [keyof typeof limitOf, RefusedLimit][])
        limits.check(limit, body.settings[name] ?? 0);
      const { max_concurrency, ...given } = body.settings;
      const consumer: QueueConsumerRecord = {
        id,
        queue_id: queue.id,
        type: body.type,
        ...(script === undefined ? {} : { script_name: script }),
        ...(body.dead_letter_queue === undefined ? {} : { dead_letter_queue: body.dead_letter_queue }),
        settings: { ...defaults, ...given, ...(typeof max_concurrency === "number" ? { max_concurrency } : {}) },
        created_on,
      };
      store.put("queue_consumer", consumer);
      return successResponse(consumerResult(queue, consumer));
    };
    return {
      "POST /accounts/:account_id/queues/:queue_id/consumers": (call) => {
        const queue = findQueue(store, call.params.queue_id);
        const body = readBody(call, consumerBody, invalid);
        if (ofQueue(queue).length > 0) {
          throw new ApiError(409, 11004, `Queue '${queue.queue_name}' already has a consumer.`);
        }
        return save(queue, hexId(), currentTimestamp(), body);
      },
      "GET /accounts/:account_id/queues/:queue_id/consumers": ({ params }) => {
        const queue = findQueue(store, params.queue_id);
        return wholeList(ofQueue(queue).map((consumer) => consumerResult(queue, consumer)));
      },
      "GET /accounts/:account_id/queues/:queue_id/consumers/:consumer_id": ({ params }) => {
        const queue = findQueue(store, params.queue_id);
        return successResponse(consumerResult(queue, find(queue, params.consumer_id)));
      },
      "PUT /accounts/:account_id/queues/:queue_id/consumers/:consumer_id": (call) => {
        const queue = findQueue(store, call.params.queue_id);
        const { id, created_on } = find(queue, call.params.consumer_id);
        return save(queue, id, created_on, readBody(call, consumerBody, invalid));
      },
      "DELETE /accounts/:account_id/queues/:queue_id/consumers/:consumer_id": ({ params }) => {
        const { id } = find(findQueue(store, params.queue_id), params.consumer_id);
        store.delete("queue_consumer", id);
        return successResponse(null);
      },
    };
  },
});
