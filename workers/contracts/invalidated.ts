/** What the dispatch Worker answers to `GET /_invalidate/:slug`. */
import * as z from "zod";

/** `done`: what was open has ended. `no_worker`: nothing can be open. `failed`: what is open ends within the cache's lifetime. */
export const cutOutcomes = ["done", "no_worker", "failed"] as const;
export type CutOutcome = (typeof cutOutcomes)[number];

export const invalidated = z.object({
  /** Slug. */
  invalidated: z.string(),
  /** Other isolates of the Worker follow so much later at the latest. */
  elsewhereWithinSeconds: z.number(),
  cut: z.enum(cutOutcomes),
});
export type Invalidated = z.infer<typeof invalidated>;
