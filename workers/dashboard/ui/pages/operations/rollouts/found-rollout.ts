import type { rolloutRoutes } from "#workers/contracts/api/tenants/rollouts.ts";
import type { Answer } from "#workers/dashboard/ui/api/ask.ts";

/** A roll-out with its tenants, as the API tells of it. */
export type FoundRollout = Answer<typeof rolloutRoutes.getRollout>;
