/** Metrics that are billed by usage, named as in the analytics dataset. */

/** Unit of each metric; quantities are integers. */
export const USAGE_UNITS = {
  ai_queries: "queries",
  /** Price of the models' providers in millionths of a US dollar. */
  ai_spend: "micros",
  container_activity: "seconds",
  container_uptime: "seconds",
  object_storage_bandwidth: "bytes",
  websocket_sessions: "sessions",
} as const;
/** Names for people. */
export const METRIC_NAMES: Readonly<Record<keyof typeof USAGE_UNITS, string>> = {
  ai_spend: "Model cost",
  ai_queries: "AI queries",
  container_uptime: "Container uptime",
  container_activity: "Active time",
  object_storage_bandwidth: "Backup traffic",
  websocket_sessions: "WebSocket sessions",
};

export type UsageMetric = keyof typeof USAGE_UNITS;

export const usageMetrics = Object.keys(USAGE_UNITS) as readonly UsageMetric[];

export interface DayUsage {
  readonly day: string;
  readonly metric: UsageMetric;
  /** In the metric's unit. */
  readonly quantity: bigint;
}
