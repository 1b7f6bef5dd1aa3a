import { useCallback, useState, useSyncExternalStore } from "react";
import { formatAgo, formatDate, formatInstant } from "./format.ts";

const TICK_MS = 10_000;

interface Clock {
  now: number;
  timer: ReturnType<typeof setInterval> | undefined;
  readonly listeners: Set<() => void>;
}
/** Shared by all components with the same interval: a long list has many. */
const clocks = new Map<number, Clock>();

function clockOf(every: number): Clock {
  const clock = clocks.get(every) ?? { now: Date.now(), timer: undefined, listeners: new Set() };
  clocks.set(every, clock);
  return clock;
}

function followClock(every: number, listener: () => void): () => void {
  const clock = clockOf(every);
  clock.listeners.add(listener);
  clock.timer ??= setInterval(() => {
    clock.now = Date.now();
    for (const notify of clock.listeners) notify();
  }, every);
  return () => {
    clock.listeners.delete(listener);
    if (clock.listeners.size > 0) return;
    clearInterval(clock.timer);
    clocks.delete(every);
  };
}

/** Returns the current time in milliseconds, updated at the interval. */
export function useNow(every = TICK_MS): number {
  const subscribe = useCallback((listener: () => void) => followClock(every, listener), [every]);
  // The last tick of a shared clock may predate the data.
  const [first] = useState(Date.now);
  return Math.max(
    first,
    useSyncExternalStore(subscribe, () => clockOf(every).now),
  );
}

/** A relative time, with the exact one as tooltip. @param props.at ISO 8601; null for never */
export function Ago({ at, long = false }: { at: string | null; long?: boolean }) {
  const now = useNow();
  if (at === null) return <span className="text-quiet">never</span>;
  return (
    <time dateTime={at} title={formatInstant(at)} className="whitespace-nowrap">
      {formatAgo(at, now, long ? "long" : "narrow")}
    </time>
  );
}

/** @param props.date without the time of day, which is the tooltip */
export const Moment = ({ at, date = false }: { at: string; date?: boolean }) => (
  <time dateTime={at} title={date ? formatInstant(at) : undefined} className="whitespace-nowrap tabular-nums">
    {date ? formatDate(at) : formatInstant(at)}
  </time>
);
