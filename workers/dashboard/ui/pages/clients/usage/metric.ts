/** What is used, as people call and read it. */
import { USAGE_UNITS, type UsageMetric } from "#domain/billing/usage-metric.ts";
import { formatBytes, formatDuration, formatMoney, formatNumber } from "#workers/dashboard/ui/kit/format.ts";

export const METRIC_NAMES: Readonly<Record<UsageMetric, string>> = {
  ai_spend: "Model cost",
  ai_queries: "AI queries",
  container_uptime: "Time awake",
  container_activity: "Time at work",
  object_storage_bandwidth: "Backup traffic",
  websocket_sessions: "WebSocket sessions",
};

const BY_UNIT: Readonly<Record<(typeof USAGE_UNITS)[UsageMetric], (quantity: number) => string>> = {
  micros: formatMoney,
  queries: formatNumber,
  seconds: formatDuration,
  bytes: formatBytes,
  sessions: formatNumber,
};

/** @param quantity in the metric's unit */
export const formatUsage = (metric: UsageMetric, quantity: number): string => BY_UNIT[USAGE_UNITS[metric]](quantity);

const HOUR_S = 3_600;

/** What an axis has round numbers of, in the metric's unit: of time hours. */
export const axisUnit = (metric: UsageMetric): number => (USAGE_UNITS[metric] === "seconds" ? HOUR_S : 1);
