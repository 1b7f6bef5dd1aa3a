/** WebSocket messages of `GET /live`, as JSON, ordered by ID. */
import * as z from "zod";

/** Sent once all missed events were sent. After a disconnect, continue with the ID of the last message (`?after=`). */
export const LIVE_READY = "live.ready";
/** Too many events were missed: read everything again. Continue after its ID. */
export const LIVE_RESET = "live.reset";

/** Answered by {@link LIVE_PONG} without waking the Durable Object. */
export const LIVE_PING = "ping";
export const LIVE_PONG = "pong";

/** Close codes: the session expired; the user was removed; the service is temporarily unavailable. */
export const LIVE_CLOSED = { logInAgain: 4401, noUser: 4403, tryAgain: 1013 } as const;

export const liveMessage = z.object({
  id: z.int().nonnegative(),
  /** `subject.what`, such as `mail.sent`. */
  kind: z.string(),
  client_id: z.uuid().nullable(),
  data: z.unknown(),
  at: z.iso.datetime(),
});
export type LiveMessage = z.infer<typeof liveMessage>;
