import { openingAt } from "#domain/rollouts/maintenance-window.ts";
import { formatInstant } from "#workers/dashboard/ui/kit/format.ts";
import { useNow } from "#workers/dashboard/ui/kit/time.tsx";
import type { Window } from "./field-values.ts";

// 2026-01-05 is a Monday.
const NAMES = new Intl.DateTimeFormat(undefined, { weekday: "short", timeZone: "UTC" });
const MONDAY = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;
/** @param day ISO day of the week, 1 for Monday */
export const dayName = (day: number): string => NAMES.format(MONDAY + (day - 1) * DAY_MS);

export function WindowFacts({ window }: { window: Window | null }) {
  const now = useNow(60_000);
  if (window === null) return <span className="text-quiet">At any time</span>;
  const { days, start, hours, time_zone: timeZone } = window;
  const { from, until } = openingAt({ days, start, hours, timeZone }, new Date(now));
  return (
    <>
      {days.length === 7 ? "Every day" : days.toSorted().map(dayName).join(", ")} from {start} for {hours} h ({timeZone}
      )
      <span className="block text-xs text-quiet">
        {from.getTime() <= now
          ? `Open now, until ${formatInstant(until.toISOString())}`
          : `Next: ${formatInstant(from.toISOString())}`}
      </span>
    </>
  );
}
