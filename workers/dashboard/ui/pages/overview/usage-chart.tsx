import { lazy, Suspense, useState } from "react";
import type { DayChartProps } from "../../kit/chart/day-chart.tsx";
import { SWATCHES } from "../../kit/chart/day-chart-tip.tsx";
import { joinClasses } from "../../kit/classes.ts";
import { formatLongDay } from "../../kit/format.ts";
import { ScrollRegion } from "../../kit/layout/scroll-region.tsx";
import { Skeleton } from "../../kit/states.tsx";

const DayChart = lazy(() => import("../../kit/chart/day-chart.tsx"));

export function UsageChart({ name, ...chart }: Omit<DayChartProps, "label"> & { name: string }) {
  const { series, format } = chart;
  return (
    <>
      <ul aria-label="Legend" className="flex min-h-6 flex-wrap gap-x-4 text-[0.8125rem]">
        {series.map(({ name: of, values }, place) => (
          <li key={of} className="flex items-center gap-2">
            <span aria-hidden="true" className={joinClasses("size-2.5 rounded-xs", SWATCHES[place])} />
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

function UsageTable({ name, days, series, format }: Omit<DayChartProps, "label"> & { name: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="mt-1 text-[0.8125rem]" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-sm text-quiet hover:text-text">Show as table</summary>
      {open ? (
        <ScrollRegion label={`${name} by day, as table`} className="mt-2 max-h-72">
          <table className="w-full">
            <thead className="text-xs text-quiet">
              <tr className="border-b border-line">
                <th scope="col" className="py-1.5 text-left font-medium">
                  Day
                </th>
                {series.map((one) => (
                  <th key={one.name} scope="col" className="py-1.5 pl-4 text-right font-medium">
                    {one.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.map((day, index) => (
                <tr key={day} className="border-b border-line last:border-b-0">
                  <th scope="row" className="py-1 text-left font-normal">
                    {formatLongDay(day)}
                  </th>
                  {series.map((one) => (
                    <td key={one.name} className="py-1 pl-4 text-right tabular-nums">
                      {format(one.values[index] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      ) : null}
    </details>
  );
}
