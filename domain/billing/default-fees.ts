import type { Plan } from "../plan.ts";

/** What a month of each plan costs in micro-units, where nobody has given a price: as price lists begin (migration `billing`). */
export const DEFAULT_FEES: Readonly<Record<Plan, bigint>> = {
  free: 0n,
  basic: 29_000_000n,
  pro: 99_000_000n,
  enterprise: 499_000_000n,
};
