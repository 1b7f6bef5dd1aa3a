import type { WeatherOptions } from "@tenantry/edge";

/** Seeds of the journeys, in which responses to creates are lost. `npm run weather` sets others. */
export const SEEDS: number[] = (process.env.WEATHER_SEEDS ?? "2,4,6").split(",").map(Number);

/** Divides the times of production, so that a journey waits for moments instead of minutes. */
const PACE = 100;

/**
 * The default weather, without evictions of containers: a tenant's last backup takes minutes, which {@link PACE} does not shorten.
 */
export const weatherOf = (seed: number): WeatherOptions => ({
  seed,
  pace: PACE,
  rates: { container_evicted: 0 },
});
