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
export type UsageMetric = keyof typeof USAGE_UNITS;

export const usageMetrics = Object.keys(USAGE_UNITS) as readonly UsageMetric[];

export interface DayUsage {
  readonly day: string;
  readonly metric: UsageMetric;
  /** In the metric's unit. */
  readonly quantity: bigint;
}
