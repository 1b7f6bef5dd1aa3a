export interface QueueRecord {
  id: string;
  queue_name: string;
  settings: { delivery_delay?: number; delivery_paused?: boolean; message_retention_period?: number };
  created_on: string;
  modified_on: string;
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
