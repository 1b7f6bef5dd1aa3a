import { USAGE_UNITS, type UsageMetric } from "#domain/billing/usage-metric.ts";
import { formatBytes, formatDuration, formatMoney, formatNumber } from "#workers/dashboard/ui/kit/format.ts";

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

/** Divisor that gives round axis ticks: hours for durations. */
export const axisUnit = (metric: UsageMetric): number => (USAGE_UNITS[metric] === "seconds" ? HOUR_S : 1);
