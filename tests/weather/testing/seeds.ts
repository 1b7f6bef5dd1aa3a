import type { WeatherOptions } from "@tenantry/edge";

/** Returns the seeds of a journey. `npm run weather` sets others. @param usual seeds in which responses to creates are lost */
export function seedsOf(...usual: number[]): number[] {
  const { WEATHER_SEEDS: others } = process.env;
  return others === undefined ? usual : others.split(",").map(Number);
}

/** Divides the times of production, so that a journey waits for moments instead of minutes. */
const PACE = 50;

/** The default weather with more evictions of containers. */
export const weatherOf = (seed: number): WeatherOptions => ({
  seed,
  pace: PACE,
  rates: { container_evicted: 0.5 },
});
