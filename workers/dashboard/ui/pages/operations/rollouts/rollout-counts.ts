/** How far a roll-out is, by how many tenants are of which status. */
import type { Rollout } from "#workers/contracts/api/tenants/rollouts.ts";

export const totalOf = (tenants: Rollout["tenants"]): number =>
  Object.values(tenants).reduce((sum, count) => sum + count, 0);

/** Those that have the version. */
export const reachedOf = ({ done = 0 }: Rollout["tenants"]): number => done;

/** What a wave is called. @param percents of the waves after the canaries */
export const waveName = (wave: number, percents: readonly number[]): string =>
  wave === 0 ? "Canaries" : `${percents[wave - 1] ?? 100} %`;
