/** When points of Analytics Engine become queryable, and how many points each stands for. */
import type { Weather } from "./weather.ts";

export interface Arrival {
  /** Milliseconds since the epoch. */
  at: number;
  /** Number of points that the point stands for; 0 for one that is not stored. */
  sampleInterval: number;
}

const LATEST_MS = 5 * 60_000;
/** One of so many points is stored while an index is sampled. */
const SAMPLE_INTERVAL = 4;

export function arrivalOf(weather: Weather, dataset: string, index: string): Arrival {
  const now = weather.now();
  const late = weather.next("analytics", `${dataset} ${index}`);
  const sampled = weather.next("sampling", `${dataset} ${index}`);
  const isStored = sampled === undefined || sampled.amount < 1 / SAMPLE_INTERVAL;
  return {
    at: now + (late === undefined ? 0 : weather.duration(late.amount * LATEST_MS)),
    sampleInterval: sampled === undefined ? 1 : isStored ? SAMPLE_INTERVAL : 0,
  };
}
