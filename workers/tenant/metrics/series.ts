/**
 * Counts each OTLP data point of a series once, however its exporter splits, repeats and orders them (vendor: OpenTelemetry, "Metrics Data
 * Model", "Temporality" and "Resets and Gaps").
 */
import * as z from "zod";

/** Stored intervals of a delta series, to detect repeated ones. */
const MAX_INTERVALS = 64;

/** Nanoseconds since the epoch as decimal text: a double would lose precision. */
const nanoseconds = z.string().regex(/^\d+$/);

/** The stored state of a series. A cumulative series with another start time is another series. */
export const seriesState = z.discriminatedUnion("temporality", [
  z.object({ temporality: z.literal("cumulative"), time: nanoseconds, value: z.number() }),
  z.object({
    temporality: z.literal("delta"),
    /** The newest intervals, oldest first. */
    intervals: z.array(z.object({ start: nanoseconds, time: nanoseconds })),
    /** Everything up to this time was counted. */
    floor: nanoseconds,
  }),
]);
export type SeriesState = z.infer<typeof seriesState>;

export interface SeriesPoint {
  temporality: SeriesState["temporality"];
  start: string;
  time: string;
  /** Value since `start`. Not negative. */
  value: number;
}

const isAfter = (a: string, b: string): boolean => BigInt(a) > BigInt(b);

/** Returns what `point` adds to a series, and the new state of the series. */
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
  // Without a start time, only a smaller value shows a reset.
  return { increment: value < last.value ? value : value - last.value, state: next };
}

function advanceDelta(
  last: Extract<SeriesState, { temporality: "delta" }> = { temporality: "delta", intervals: [], floor: "0" },
  { start, time, value }: SeriesPoint,
): { increment: number; state: SeriesState } {
  const isSeen = last.intervals.some((interval) => interval.start === start && interval.time === time);
  if (isSeen || !isAfter(time, last.floor)) return { increment: 0, state: last };
  const intervals = [...last.intervals, { start, time }].sort((a, b) => (isAfter(a.time, b.time) ? 1 : -1));
  const dropped = intervals.length > MAX_INTERVALS ? intervals.shift() : undefined;
  return { increment: value, state: { ...last, intervals, floor: dropped?.time ?? last.floor } };
}
