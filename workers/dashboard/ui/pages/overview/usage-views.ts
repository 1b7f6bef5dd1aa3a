import type { UsageMetric } from "#domain/billing/usage-metric.ts";
import type { GlobalAnalytics, PartnerSpend, Usage } from "#workers/contracts/api/analytics.ts";
import type { DaySeries } from "../../kit/chart/day-chart.tsx";
import { formatBytes, formatDuration, formatMoney, formatNumber } from "../../kit/format.ts";
import type { ChartView, MetricView } from "./search.ts";

const HOUR_S = 3_600;
const DAY_MS = 86_400_000;

interface View {
  name: string;
  format: (value: number) => string;
}
interface MetricViewOf extends View {
  series: readonly { name: string; of: (usage: Usage) => number }[];
}

const viewOfMetric = (name: string, metric: UsageMetric, format: View["format"]): MetricViewOf => ({
  name,
  series: [{ name, of: (usage) => usage[metric] }],
  format,
});

const metricViews: Readonly<Record<MetricView, MetricViewOf>> = {
  cost: viewOfMetric("Model cost", "ai_spend", formatMoney),
  queries: viewOfMetric("AI queries", "ai_queries", formatNumber),
  // In hours, for round axis ticks.
  time: {
    name: "Container time",
    series: [
      { name: "Active", of: ({ container_activity }) => container_activity / HOUR_S },
      {
        name: "Idle",
        of: ({ container_uptime, container_activity }) => Math.max(container_uptime - container_activity, 0) / HOUR_S,
      },
    ],
    format: (hours) => formatDuration(hours * HOUR_S),
  },
  sessions: viewOfMetric("WebSocket sessions", "websocket_sessions", formatNumber),
  traffic: viewOfMetric("Backup traffic", "object_storage_bandwidth", formatBytes),
};

export const usageViews: Readonly<Record<ChartView, View>> = {
  ...metricViews,
  partners: { name: "Model cost by partner", format: formatMoney },
};

/** Every day of the period, including those without usage. */
export function daysOf({ from, to }: Pick<GlobalAnalytics["period"], "from" | "to">): string[] {
  const [first, last] = [from, to].map((at) => Date.parse(at.slice(0, 10)));
  if (first === undefined || last === undefined) return [];
  return Array.from({ length: Math.round((last - first) / DAY_MS) + 1 }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  );
}

export function seriesOf(view: MetricView, days: readonly string[], lines: GlobalAnalytics["series"]): DaySeries[] {
  const usageOn = new Map(lines.map(({ day, usage }) => [day, usage]));
  return metricViews[view].series.map(({ name, of }) => ({
    name,
    values: days.map((day) => {
      const usage = usageOn.get(day);
      return usage === undefined ? 0 : of(usage);
    }),
  }));
}

/** Partners with their own series; the others share one. */
const NAMED = 4;

export function partnerSeries(days: readonly string[], partners: PartnerSpend["partners"]): DaySeries[] {
  const spent = partners.map(({ partner, series }) => {
    const on = new Map(series.map(({ day, ai_spend }) => [day, ai_spend]));
    return { name: partner?.name ?? "Internal", values: days.map((day) => on.get(day) ?? 0) };
  });
  if (spent.length <= NAMED + 1) return spent;
  const others = spent.slice(NAMED);
  const values = days.map((_day, index) => others.reduce((sum, one) => sum + (one.values[index] ?? 0), 0));
  return [...spent.slice(0, NAMED), { name: `${others.length} others`, values }];
}
