/** Response of the dispatch Worker's `GET /_invalidate/:slug`. */
import * as z from "zod";

/** `done`: open connections were closed. `no_worker`: none can be open. `failed`: they close within the cache's lifetime. */
export const cutOutcomes = ["done", "no_worker", "failed"] as const;
export type CutOutcome = (typeof cutOutcomes)[number];

export const invalidated = z.object({
  /** Slug. */
  invalidated: z.string(),
  /** Delay after which all other isolates have the change too. */
  elsewhereWithinSeconds: z.number(),
  cut: z.enum(cutOutcomes),
});
export type Invalidated = z.infer<typeof invalidated>;
