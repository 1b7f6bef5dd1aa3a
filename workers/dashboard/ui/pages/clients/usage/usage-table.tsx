import type { UsageMetric } from "#domain/billing/usage-metric.ts";
import { formatLongDay } from "#workers/dashboard/ui/kit/format.ts";
import { DataTable } from "#workers/dashboard/ui/kit/list/table.tsx";
import { formatUsage, METRIC_NAMES } from "./metric.ts";

interface UsagePoint {
  day: string;
  quantity: number;
}

export const UsageTable = ({ metric, points }: { metric: UsageMetric; points: readonly UsagePoint[] }) => (
  <DataTable
    label={`${METRIC_NAMES[metric]}, by day`}
    columns={[
      { header: "Day", cell: ({ day }) => formatLongDay(day) },
      {
        header: METRIC_NAMES[metric],
        right: true,
        cell: ({ quantity }) => formatUsage(metric, quantity),
      },
    ]}
    rows={points.toReversed()}
    idOf={({ day }) => day}
  />
);
