/** What an open dashboard hears on `GET /live`: one of these in each WebSocket message, as JSON, in the order of the ids. */
import * as z from "zod";

/**
 * Sent once when all that was missed is told: from here on news are live. Its id is where to go on after (`?after=`) when the connection
 * ends, as is that of each later message.
 */
export const LIVE_READY = "live.ready";
/** More was missed than is told one by one: read everything anew. Its id is where to go on after. */
export const LIVE_RESET = "live.reset";

/** Answered by {@link LIVE_PONG} without waking anyone. */
export const LIVE_PING = "ping";
export const LIVE_PONG = "pong";

/** Codes of WebSockets that are closed: log in again; no user of the dashboard any longer; come again in a moment. */
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
