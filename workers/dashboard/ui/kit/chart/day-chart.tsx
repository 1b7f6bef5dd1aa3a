import { AxisBottom, AxisLeft } from "@visx/axis";
import { Group } from "@visx/group";
import { scaleBand, scaleLinear } from "@visx/scale";
import { Bar, BarStack } from "@visx/shape";
import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { formatDay, formatLongDay } from "../format.ts";
import { DayChartTip } from "./day-chart-tip.tsx";
import { useWidth } from "./use-width.ts";

export interface DaySeries {
  name: string;
  values: readonly number[];
}

export interface DayChartProps {
  label: string;
  /** `YYYY-MM-DD`, in UTC. */
  days: readonly string[];
  /** At most five, from bottom to top. */
  series: readonly DaySeries[];
  format: (value: number) => string;
}

const HEIGHT = 240;
const MARGIN = { top: 10, right: 20, bottom: 26, left: 64 };
const DAY_NAME_PX = 64;
const FILLS = ["fill-chart-1", "fill-chart-2", "fill-chart-3", "fill-chart-4", "fill-chart-5"] as const;

const axisText = { className: "text-[0.6875rem]", fill: "var(--quiet)", fontFamily: "inherit", fontSize: 11 };

/** Stacked bars per day, for pointer and keyboard. Load it lazily, because it includes visx. */
export default function DayChart({ label, days, series, format }: DayChartProps) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState<number | undefined>(undefined);
  const rows = days.map((day, index) => ({
    day,
    ...Object.fromEntries(series.map(({ values }, place) => [String(place), values[index] ?? 0])),
    sum: series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  }));
  const max = Math.max(...rows.map(({ sum }) => sum), 0);
  const inner = { width: Math.max(width - MARGIN.left - MARGIN.right, 0), height: HEIGHT - MARGIN.top - MARGIN.bottom };
  const x = scaleBand({ domain: [...days], range: [0, inner.width], padding: 0.25 });
  const y = scaleLinear({ domain: [0, max || 1], range: [inner.height, 0], nice: true });
  const every = Math.max(1, Math.ceil((days.length * DAY_NAME_PX) / Math.max(inner.width, 1)));
  const valuesOf = (index: number) => series.map(({ name, values }) => ({ name, value: format(values[index] ?? 0) }));

  const point = (event: PointerEvent<HTMLDivElement>) => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left - MARGIN.left;
    const index = Math.floor(left / x.step());
    setAt(index >= 0 && index < days.length ? index : undefined);
  };
  const press = (event: KeyboardEvent) => {
    const now = at ?? days.length - 1;
    const next = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: days.length - 1 }[event.key];
    if (event.key === "Escape") setAt(undefined);
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.min(Math.max(next, 0), days.length - 1));
  };
  const shown = at ?? days.length - 1;
  return (
    <div
      ref={ref}
      role="slider"
      tabIndex={0}
      aria-label={`${label}. Use the arrow keys to move between days.`}
      aria-valuemin={0}
      aria-valuemax={days.length - 1}
      aria-valuenow={shown}
      aria-valuetext={`${formatLongDay(days[shown] ?? "")}: ${valuesOf(shown)
        .map(({ name, value }) => `${name} ${value}`)
        .join(", ")}`}
      onPointerMove={point}
      onPointerLeave={() => setAt(undefined)}
      onFocus={(event) => event.currentTarget.matches(":focus-visible") && setAt((now) => now ?? days.length - 1)}
      onBlur={() => setAt(undefined)}
      onKeyDown={press}
      className="relative h-60 touch-pan-y rounded-md"
    >
      <svg aria-hidden="true" width={width} height={HEIGHT} className="block">
        <Group left={MARGIN.left} top={MARGIN.top}>
          <AxisLeft
            scale={y}
            tickValues={y.ticks(4)}
            tickFormat={(value) => format(Number(value))}
            hideAxisLine
            tickStroke="var(--line)"
            tickLineProps={{ x2: inner.width }}
            tickLabelProps={{ ...axisText, textAnchor: "end", dx: -6, dy: 4 }}
            tickLength={0}
          />
          {at === undefined ? null : (
            <Bar
              x={(x(days[at] ?? "") ?? 0) - (x.step() - x.bandwidth()) / 2}
              width={x.step()}
              y={0}
              height={inner.height}
              className="fill-hover"
            />
          )}
          <BarStack
            data={rows}
            keys={series.map((_one, place) => String(place))}
            x={({ day }) => day}
            value={(row, key) => Number(row[key as keyof typeof row])}
            xScale={x}
            yScale={y}
            color={(key) => key}
          >
            {(stacks) =>
              stacks.flatMap(({ bars, key }) =>
                bars.map((bar) => (
                  <Bar
                    key={`${key} ${bar.index}`}
                    x={bar.x}
                    y={bar.y}
                    width={bar.width}
                    height={Math.max(bar.height, 0)}
                    rx={Math.min(2, bar.width / 2)}
                    className={FILLS[Number(key)] ?? FILLS[0]}
                  />
                )),
              )
            }
          </BarStack>
          <AxisBottom
            scale={x}
            top={inner.height}
            tickValues={days.filter((_day, index) => (days.length - 1 - index) % every === 0)}
            tickFormat={(day) => formatDay(day)}
            tickLength={4}
            stroke="var(--line-strong)"
            tickStroke="var(--line-strong)"
            tickLabelProps={{ ...axisText, textAnchor: "middle", dy: 2 }}
          />
        </Group>
      </svg>
      {at === undefined ? null : (
        <DayChartTip
          day={days[at] ?? ""}
          values={valuesOf(at)}
          left={MARGIN.left + (x(days[at] ?? "") ?? 0) + x.bandwidth() / 2}
          within={width}
        />
      )}
    </div>
  );
}
