import { useState } from "react";
import type { DayChartProps } from "../../kit/chart/day-chart.tsx";
import { formatLongDay } from "../../kit/format.ts";

export function UsageTable({ name, days, series, format }: Omit<DayChartProps, "label"> & { name: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="mt-1 text-[0.8125rem]" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer rounded-sm text-quiet hover:text-text">Show as table</summary>
      {open ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard could not scroll it otherwise.
        <section tabIndex={0} aria-label={`${name} by day, as table`} className="mt-2 max-h-72 overflow-auto">
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
        </section>
      ) : null}
    </details>
  );
}
