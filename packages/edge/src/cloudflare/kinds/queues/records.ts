import type { Stamped } from "#account/records.ts";

export interface QueueRecord extends Stamped {
  id: string;
  queue_name: string;
  settings: { delivery_delay?: number; delivery_paused?: boolean; message_retention_period?: number };
}

export interface QueueConsumerRecord {
  id: string;
  queue_id: string;
  type: "worker" | "http_pull";
  script_name?: string;
  dead_letter_queue?: string;
  settings: {
    batch_size?: number;
    max_concurrency?: number;
    max_retries?: number;
    max_wait_time_ms?: number;
    retry_delay?: number;
  };
  created_on: string;
}

declare module "../../../account/records.ts" {
  interface Records {
    queue: QueueRecord;
    queue_consumer: QueueConsumerRecord;
  }
}
