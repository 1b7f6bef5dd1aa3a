import { lazy, Suspense } from "react";
import type { DayChartProps } from "../../kit/chart/day-chart.tsx";
import { SWATCHES } from "../../kit/chart/day-chart-tip.tsx";
import { classes } from "../../kit/classes.ts";
import { Skeleton } from "../../kit/states.tsx";
import { UsageTable } from "./usage-table.tsx";

const DayChart = lazy(() => import("../../kit/chart/day-chart.tsx"));

export function UsageChart({ name, ...chart }: Omit<DayChartProps, "label"> & { name: string }) {
  const { series, format } = chart;
  return (
    <>
      <ul aria-label="Legend" className="flex min-h-6 flex-wrap gap-x-4 text-[0.8125rem]">
        {series.map(({ name: of, values }, place) => (
          <li key={of} className="flex items-center gap-2">
            <span aria-hidden="true" className={classes("size-2.5 rounded-xs", SWATCHES[place])} />
            {of}
            <span className="text-quiet tabular-nums">{format(values.reduce((sum, value) => sum + value, 0))}</span>
          </li>
        ))}
      </ul>
      <Suspense fallback={<Skeleton className="h-60" />}>
        <DayChart label={`${name} by day`} {...chart} />
      </Suspense>
      <UsageTable name={name} {...chart} />
    </>
  );
}
