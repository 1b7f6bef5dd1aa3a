/** What the chart of usage shows: series of the summary's days, and how they are written. */
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

const one = (name: string, metric: UsageMetric, format: View["format"]): MetricViewOf => ({
  name,
  series: [{ name, of: (usage) => usage[metric] }],
  format,
});

const metricViews: Readonly<Record<MetricView, MetricViewOf>> = {
  cost: one("Model cost", "ai_spend", formatMoney),
  queries: one("AI queries", "ai_queries", formatNumber),
  // In hours, so that the axis has round ones.
  time: {
    name: "Container time",
    series: [
      { name: "At work", of: ({ container_activity }) => container_activity / HOUR_S },
      {
        name: "Awake without work",
        of: ({ container_uptime, container_activity }) => Math.max(container_uptime - container_activity, 0) / HOUR_S,
      },
    ],
    format: (hours) => formatDuration(hours * HOUR_S),
  },
  sessions: one("WebSocket sessions", "websocket_sessions", formatNumber),
  traffic: one("Backup traffic", "object_storage_bandwidth", formatBytes),
};

export const usageViews: Readonly<Record<ChartView, View>> = {
  ...metricViews,
  partners: { name: "Model cost by partner", format: formatMoney },
};

/** Every day of the period, also those that nothing was used on. */
export function daysOf({ from, to }: Pick<GlobalAnalytics["period"], "from" | "to">): string[] {
  const [first, last] = [from, to].map((at) => Date.parse(at.slice(0, 10)));
  if (first === undefined || last === undefined) return [];
  return Array.from({ length: Math.round((last - first) / DAY_MS) + 1 }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  );
}

/** A view's series, with a value for each of the days. */
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

/** Partners with a series of their own; the others have one together. */
const NAMED = 4;

/** What each partner's clients spent on each of the days: who spent most stands lowest. */
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
