import { useId } from "react";
import { joinClasses } from "../classes.ts";
import { formatNumber } from "../format.ts";

/** As the API defines `scarce`. */
const SCARCE = 0.8;

interface MeterProps {
  label: string;
  value: number;
  max: number;
  format?: (value: number) => string;
  /** On one line, with the label for screen readers only. */
  inline?: boolean;
}

export function Meter({ label, value, max, format = formatNumber, inline = false }: MeterProps) {
  const id = useId();
  const share = max === 0 ? 1 : value / max;
  const valueMax = Math.max(max, 1);
  const now = Math.min(value, valueMax);
  const colour = share >= 1 ? "bg-bad" : share >= SCARCE ? "bg-busy" : "bg-accent";
  return (
    <div className={joinClasses("grid grid-cols-[1fr_auto] gap-x-3", inline ? "items-center" : "gap-y-1")}>
      <span id={id} className={inline ? "sr-only" : "truncate text-[0.8125rem]"}>
        {label}
      </span>
      <span aria-hidden="true" className="text-[0.8125rem] text-quiet tabular-nums">
        {format(value)} / {format(max)}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw <meter> differently, and none in our colours. */}
      <div
        role="meter"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={valueMax}
        aria-valuenow={now}
        aria-valuetext={`${format(value)} of ${format(max)}`}
        className={joinClasses(
          "block h-1.5 overflow-hidden rounded-full bg-sunken",
          inline ? "-order-1 min-w-8" : "col-span-2",
        )}
      >
        <div className={joinClasses("h-full rounded-full", colour)} style={{ width: `${(100 * now) / valueMax}%` }} />
      </div>
    </div>
  );
}

/** @param props.value percent; null if unknown */
export function Progress({ label, value }: { label: string; value: number | null }) {
  const id = useId();
  const known = value === null ? {} : { "aria-valuenow": Math.round(value) };
  return (
    <div className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1">
      <span id={id} className="truncate text-[0.8125rem]">
        {label}
      </span>
      <span aria-hidden="true" className="text-[0.8125rem] text-quiet tabular-nums">
        {value === null ? "…" : `${Math.round(value)} %`}
      </span>
      <div
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        {...known}
        className="col-span-2 block h-2 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className={joinClasses(
            "h-full rounded-full bg-accent transition-all",
            value === null && "w-1/3 animate-pulse",
          )}
          style={value === null ? undefined : { width: `${value}%` }}
        />
      </div>
    </div>
  );
}
