/** News that the automation service pushes to open dashboards: `POST {LIVE_URL}` with a bearer token. */
import * as z from "zod";

/** Most events of one call. */
export const LIVE_NEWS_LIMIT = 100;

const liveEvent = z.object({
  /** Rises with time, but not without gaps, nor always in the order in which events are told. */
  id: z.int(),
  /** `subject.what`, such as `mail.sent`. */
  kind: z.string(),
  /** Who may hear of it beside platform roots; null for nobody. */
  partner_id: z.uuid().nullable(),
  client_id: z.uuid().nullable(),
  data: z.unknown(),
  /** ISO 8601 UTC. */
  at: z.iso.datetime(),
});

/** The body of a call. An event may come more than once: after a failed call, and from two replicas. Its id tells. */
export const liveNews = z.object({
  /** Highest id of `events`. */
  last: z.int(),
  events: z.array(liveEvent).min(1).max(LIVE_NEWS_LIMIT),
});
export type LiveNews = z.infer<typeof liveNews>;
