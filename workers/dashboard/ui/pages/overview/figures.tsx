import type { UsageMetric } from "#domain/billing/usage-metric.ts";
import type { GlobalAnalytics } from "#workers/contracts/api/analytics.ts";
import { formatBytes, formatDuration, formatMoney, formatNumber } from "../../kit/format.ts";
import { Change } from "./change.tsx";

const FIGURES: readonly (readonly [metric: UsageMetric, name: string, format: (value: number) => string])[] = [
  ["ai_spend", "Model cost", formatMoney],
  ["ai_queries", "AI queries", formatNumber],
  ["container_uptime", "Container uptime", formatDuration],
  ["container_activity", "Active time", formatDuration],
  ["websocket_sessions", "WebSocket sessions", formatNumber],
  ["object_storage_bandwidth", "Backup traffic", formatBytes],
];

export const Figures = ({ usage, days }: { usage: GlobalAnalytics["usage"]; days: number }) => (
  <section aria-label={`Usage of the last ${days} days, compared with the previous ${days} days`}>
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3 xl:grid-cols-6">
      {FIGURES.map(([metric, name, format]) => (
        <div key={metric} className="flex min-w-0 flex-col bg-card px-4 py-3">
          <dt className="truncate text-[0.8125rem] text-quiet">{name}</dt>
          <dd className="truncate text-lg font-semibold tracking-tight tabular-nums">
            {format(usage.current[metric])}
          </dd>
          <dd title={`${format(usage.previous[metric])} in the previous ${days} days`}>
            <Change current={usage.current[metric]} previous={usage.previous[metric]} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
