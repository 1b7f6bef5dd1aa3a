/**
 * Counts a series of OTLP data points once, however its exporter splits, repeats and orders them (vendor: OpenTelemetry,
 * "Metrics Data Model", "Temporality" and "Resets and Gaps").
 */
import * as z from "zod";

/** Intervals of a delta series that are remembered, to know a repeated one by. */
const REMEMBERED_INTERVALS = 64;

/** Nanoseconds since the epoch as decimal text, since they go beyond what a double holds. */
const nanoseconds = z.string().regex(/^\d+$/);

/** What is remembered of a series. A cumulative one begins anew with each start time, and so is another series. */
export const seriesState = z.discriminatedUnion("temporality", [
  z.object({ temporality: z.literal("cumulative"), time: nanoseconds, value: z.number() }),
  z.object({
    temporality: z.literal("delta"),
    /** The newest intervals, oldest first. */
    intervals: z.array(z.object({ start: nanoseconds, time: nanoseconds })),
    /** Everything up to here counts as seen. */
    floor: nanoseconds,
  }),
]);
export type SeriesState = z.infer<typeof seriesState>;

export interface SeriesPoint {
  temporality: SeriesState["temporality"];
  start: string;
  time: string;
  /** Of a delta point since `start`, of a cumulative one in all since `start`. Not negative. */
  value: number;
}

const isAfter = (a: string, b: string): boolean => BigInt(a) > BigInt(b);

/** What `point` adds to a series of which `state` is remembered, and what to remember next. */
export function advance(state: SeriesState | undefined, point: SeriesPoint): { increment: number; state: SeriesState } {
  return point.temporality === "cumulative"
    ? advanceCumulative(state?.temporality === "cumulative" ? state : undefined, point)
    : advanceDelta(state?.temporality === "delta" ? state : undefined, point);
}

function advanceCumulative(
  last: Extract<SeriesState, { temporality: "cumulative" }> | undefined,
  { time, value }: SeriesPoint,
): { increment: number; state: SeriesState } {
  const next: SeriesState = { temporality: "cumulative", time, value };
  if (last === undefined) return { increment: value, state: next };
  if (!isAfter(time, last.time)) return { increment: 0, state: last };
  // An exporter that does not tell its start time shows a reset by a smaller value only.
  return { increment: value < last.value ? value : value - last.value, state: next };
}

function advanceDelta(
  last: Extract<SeriesState, { temporality: "delta" }> = { temporality: "delta", intervals: [], floor: "0" },
  { start, time, value }: SeriesPoint,
): { increment: number; state: SeriesState } {
  const isSeen = last.intervals.some((interval) => interval.start === start && interval.time === time);
  if (isSeen || !isAfter(time, last.floor)) return { increment: 0, state: last };
  const intervals = [...last.intervals, { start, time }].sort((a, b) => (isAfter(a.time, b.time) ? 1 : -1));
  const dropped = intervals.length > REMEMBERED_INTERVALS ? intervals.shift() : undefined;
  return { increment: value, state: { ...last, intervals, floor: dropped?.time ?? last.floor } };
}
