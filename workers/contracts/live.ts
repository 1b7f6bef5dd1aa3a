/** Events that the automation service pushes to open dashboards: `POST {LIVE_URL}` with a bearer token. */
import * as z from "zod";

/** Maximum number of events in a request. */
export const LIVE_EVENTS_LIMIT = 100;

const liveEvent = z.object({
  /** Increases with time, with gaps and not always in the order of delivery. */
  id: z.int(),
  /** `subject.what`, such as `mail.sent`. */
  kind: z.string(),
  /** Partner whose roots receive it beside platform roots; null for none. */
  partner_id: z.uuid().nullable(),
  client_id: z.uuid().nullable(),
  data: z.unknown(),
  /** ISO 8601 UTC. */
  at: z.iso.datetime(),
});

/** Request body. An event can arrive more than once, after a failed request or from two replicas; its ID identifies it. */
export const liveEvents = z.object({
  /** Highest ID of `events`. */
  last: z.int(),
  events: z.array(liveEvent).min(1).max(LIVE_EVENTS_LIMIT),
});
export type LiveEvents = z.infer<typeof liveEvents>;
