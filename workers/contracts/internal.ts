/**
 * Calls the dispatch Worker makes to a tenant Worker on its own account. It refuses the whole of
 * {@link INTERNAL_PATH_PREFIX} to anyone outside.
 */
import { z } from "zod";

export const INTERNAL_PATH_PREFIX = "/api/internal";

/** `POST`ed once a minute to each active tenant, with a {@link tick} as its body. Any 2xx acknowledges. */
export const TICK_PATH = `${INTERNAL_PATH_PREFIX}/tick`;

export const tick = z.object({
  /** The minute this tick is for: ISO 8601 UTC. */
  scheduledTime: z.iso.datetime(),
});
export type Tick = z.infer<typeof tick>;
