/** Responses of the dispatch Worker's `GET /_invalidate/:slug` and `GET /_invalidate-door/:hash`. */
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

export const invalidatedDoor = invalidated.pick({ elsewhereWithinSeconds: true }).extend({
  /** SHA-256 of the door's key, in hex. */
  invalidated: z.string(),
});
export type InvalidatedDoor = z.infer<typeof invalidatedDoor>;
