/** What is billed by use: the cost metrics, and what their queries cost. The analytics dataset knows them by the same names. */

/** Each metric's unit, in which its quantities are whole numbers. */
export const USAGE_UNITS = {
  ai_queries: "queries",
  /** Millionths of a US dollar that the models' providers ask. */
  ai_spend: "micros",
  container_activity: "seconds",
  container_uptime: "seconds",
  object_storage_bandwidth: "bytes",
  websocket_sessions: "sessions",
} as const;
export type UsageMetric = keyof typeof USAGE_UNITS;

export const usageMetrics = Object.keys(USAGE_UNITS) as readonly UsageMetric[];

/** What one client used of a metric on a day. */
export interface DayUsage {
  readonly day: string;
  readonly metric: UsageMetric;
  /** In the metric's unit. */
  readonly quantity: bigint;
}
