/** Seeds of the journeys. `npm run weather` sets others. */
export const SEEDS: number[] = (process.env.WEATHER_SEEDS ?? "1,2,3").split(",").map(Number);

/** Divides the times of production, so that a journey waits for moments instead of minutes. */
export const PACE = 100;
