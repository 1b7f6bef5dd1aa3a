import { useCallback, useState, useSyncExternalStore } from "react";
import { formatAgo, formatInstant } from "./format.ts";

const TICK_MS = 10_000;

interface Clock {
  now: number;
  timer: ReturnType<typeof setInterval> | undefined;
  readonly listeners: Set<() => void>;
}
/** One for all that tick as often: a long list has many of them. */
const clocks = new Map<number, Clock>();

function clockOf(every: number): Clock {
  const clock = clocks.get(every) ?? { now: Date.now(), timer: undefined, listeners: new Set() };
  clocks.set(every, clock);
  return clock;
}

function follow(every: number, listener: () => void): () => void {
  const clock = clockOf(every);
  clock.listeners.add(listener);
  clock.timer ??= setInterval(() => {
    clock.now = Date.now();
    for (const one of clock.listeners) one();
  }, every);
  return () => {
    clock.listeners.delete(listener);
    if (clock.listeners.size > 0) return;
    clearInterval(clock.timer);
    clocks.delete(every);
  };
}

/** The time now, in milliseconds, as often as what is shown of it changes. */
export function useNow(every = TICK_MS): number {
  const subscribe = useCallback((listener: () => void) => follow(every, listener), [every]);
  // The last tick may be older than what is shown.
  const [first] = useState(Date.now);
  return Math.max(
    first,
    useSyncExternalStore(subscribe, () => clockOf(every).now),
  );
}

/** How long ago, with the moment itself on demand. @param props.at ISO 8601; null for never @param props.long as a sentence has it */
export function Ago({ at, never = "never", long = false }: { at: string | null; never?: string; long?: boolean }) {
  const now = useNow();
  if (at === null) return <span className="text-quiet">{never}</span>;
  return (
    <time dateTime={at} title={formatInstant(at)} className="whitespace-nowrap">
      {formatAgo(at, now, long ? "long" : "narrow")}
    </time>
  );
}

/** The moment, in the viewer's zone. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} className="whitespace-nowrap tabular-nums">
    {formatInstant(at)}
  </time>
);
