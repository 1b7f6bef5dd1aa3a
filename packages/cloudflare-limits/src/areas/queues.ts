import { type Limit, PAGES } from "../limit.ts";
import { QUEUE_SEND_MESSAGES } from "../values.ts";

const page = PAGES.queues;
/** The code of invalid requests, which the edge sends. */
const invalid = (text: string) => ({ status: 400, code: 10026, text });

export const queues = {
  queues: {
    of: "Queues of an account",
    value: 10_000,
    page,
    beyond: invalid("An account has at most {limit} queues"),
  },
  queueMessage: {
    of: "Message of a queue, with about 100 bytes of metadata",
    value: 128_000,
    unit: "bytes",
    page,
    beyond: "`send` throws; the text is not documented.",
  },
  queueSendMessages: {
    of: "Messages of a `sendBatch`",
    value: QUEUE_SEND_MESSAGES,
    page,
    beyond: "`sendBatch` throws; the text is not documented.",
  },
  queueSendBytes: {
    of: "All messages of a `sendBatch`",
    value: 256_000,
    unit: "bytes",
    page,
    beyond: "`sendBatch` throws; the text is not documented.",
  },
  queueBatch: {
    of: "Messages of a consumer's batch",
    value: 100,
    page,
    beyond: invalid("settings.batch_size: must be at most {limit}"),
  },
  queueBatchWait: {
    of: "Time to fill a consumer's batch",
    value: 60_000,
    unit: "milliseconds",
    page,
    beyond: invalid("settings.max_wait_time_ms: must be at most {limit}"),
  },
  queueRetries: {
    of: "Retries of a message",
    value: 100,
    page,
    beyond: invalid("settings.max_retries: must be at most {limit}"),
  },
  queueConcurrency: {
    of: "Concurrent invocations of a consumer",
    value: 250,
    page,
    beyond: invalid("settings.max_concurrency: must be at most {limit}"),
  },
  queueDelay: {
    of: "Delay of a message, when it is sent or retried",
    value: 86_400,
    unit: "seconds",
    page,
    beyond: invalid("a delay must be at most {limit} seconds"),
  },
  queueRetention: {
    of: "Retention of messages",
    value: 1_209_600,
    otherPlans: { Free: 86_400 },
    unit: "seconds",
    page,
    beyond: invalid("settings.message_retention_period: must be at most {limit}"),
  },
  queueBacklog: {
    of: "Messages in a queue",
    value: 25,
    unit: "GB",
    page,
    beyond: "`send` and `sendBatch` throw `Storage Limit Exceeded`.",
  },
  queueThroughput: {
    of: "Messages of a queue per second",
    value: 5_000,
    page,
    beyond: "`send` and `sendBatch` throw `Too Many Requests`.",
  },
} as const satisfies Record<string, Limit>;
