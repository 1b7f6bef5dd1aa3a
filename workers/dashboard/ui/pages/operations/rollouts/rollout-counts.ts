import type { Rollout, rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";

export type RolloutDetails = Answer<typeof rolloutRoutes.getRollout>;

export const totalOf = (tenants: Rollout["tenants"]): number =>
  Object.values(tenants).reduce((sum, count) => sum + count, 0);

/** @param percents of the waves after the canaries */
export const waveName = (wave: number, percents: readonly number[]): string =>
  wave === 0 ? "Canaries" : `${percents[wave - 1] ?? 100} %`;
