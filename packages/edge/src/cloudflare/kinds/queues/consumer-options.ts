/** Miniflare's queues are in memory: messages end with the process. */
import type { Store } from "#account/store.ts";
import type { WorkerBindings } from "#runtime/worker/definition.ts";
import type { ScriptRecord } from "../scripts/record.ts";
import type { QueueConsumerRecord } from "./records.ts";

/** Defaults of Cloudflare. */
const BATCH_SIZE = 10;
const MAX_WAIT_MS = 5_000;
const MAX_RETRIES = 3;

/** Returns the options of the queues that `script` consumes. */
export function consumerOptions(store: Store, script: ScriptRecord): Pick<WorkerBindings, "queueConsumers"> {
  const entries = consumersOf(store, script).flatMap(({ queue_id, settings, dead_letter_queue }) => {
    const queue = store.get("queue", queue_id);
    if (queue === undefined) return [];
    const options = {
      maxBatchSize: settings.batch_size ?? BATCH_SIZE,
      maxBatchTimeout: (settings.max_wait_time_ms ?? MAX_WAIT_MS) / 1_000,
      maxRetries: settings.max_retries ?? MAX_RETRIES,
      ...(settings.retry_delay === undefined ? {} : { retryDelay: settings.retry_delay }),
      ...(dead_letter_queue === undefined ? {} : { deadLetterQueue: dead_letter_queue }),
    };
    return [[queue.queue_name, options] as const];
  });
  return entries.length === 0 ? {} : { queueConsumers: Object.fromEntries(entries) };
}

/** Returns the longest time to fill a batch, in milliseconds; 0 without consumers. */
export function longestWait(store: Store, scripts: ScriptRecord[]): number {
  const consumers = scripts.flatMap((script) => consumersOf(store, script));
  return Math.max(0, ...consumers.map(({ settings }) => settings.max_wait_time_ms ?? MAX_WAIT_MS));
}

function consumersOf(store: Store, script: ScriptRecord): QueueConsumerRecord[] {
  return store
    .list("queue_consumer")
    .filter((consumer) => consumer.type === "worker" && consumer.script_name === script.name);
}
