import { joinClasses } from "../classes.ts";
import { formatLongDay } from "../format.ts";

interface DayChartTipProps {
  day: string;
  values: readonly { name: string; value: string }[];
  /** Pixels from the chart's left edge to the middle of the day. */
  left: number;
  within: number;
}

export const SWATCHES = ["bg-chart-1", "bg-chart-2", "bg-chart-3", "bg-chart-4", "bg-chart-5"] as const;
const GAP = 12;

/** One day of a chart. Screen readers read the same from the chart's value. */
export function DayChartTip({ day, values, left, within }: DayChartTipProps) {
  const isLate = left > within / 2;
  return (
    <div
      aria-hidden="true"
      style={isLate ? { right: within - left + GAP } : { left: left + GAP }}
      className="pointer-events-none absolute top-2 z-10 min-w-36 rounded-md border border-line bg-raised px-3 py-2 text-[0.8125rem] shadow-raised"
    >
      <p className="font-medium">{formatLongDay(day)}</p>
      {values.map(({ name, value }, place) => (
        <p key={name} className="flex items-center gap-2 whitespace-nowrap">
          <span className={joinClasses("size-2 rounded-xs", SWATCHES[place])} />
          <span className="flex-1 text-quiet">{name}</span>
          <span className="tabular-nums">{value}</span>
        </p>
      ))}
    </div>
  );
}
