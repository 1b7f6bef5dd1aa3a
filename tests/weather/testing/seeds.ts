import type { WeatherOptions } from "@tenantry/edge";

/** Seeds of the journeys, in which responses to creates are lost. `npm run weather` sets others. */
export const SEEDS: number[] = (process.env.WEATHER_SEEDS ?? "2,4,6").split(",").map(Number);

/** Divides the times of production, so that a journey waits for moments instead of minutes. */
const PACE = 50;

/** The default weather with more evictions of containers. */
export const weatherOf = (seed: number): WeatherOptions => ({
  seed,
  pace: PACE,
  rates: { container_evicted: 0.5 },
});
