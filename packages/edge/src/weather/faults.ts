/** Faults of Cloudflare in production, as data. */

/** Where a fault is injected. */
export type Place =
  | "database"
  | "analytics"
  | "sampling"
  | "api"
  | "api-lists"
  | "kv"
  | "access"
  | "containers"
  | "hyperdrive"
  | "queues"
  | "objects"
  | "uploads";

interface Fault {
  where: Place;
  /** Share of the events of its place. */
  rate: number;
  happens: string;
  /** What Cloudflare documents. */
  documented: string;
  source: string;
}

const ROLLOUTS = "https://developers.cloudflare.com/containers/platform-details/rollouts/";
const LIMITS = "https://developers.cloudflare.com/fundamentals/api/reference/limits/";

export const faults = {
  api_rate_limited: {
    where: "api",
    rate: 0.02,
    happens: "status 429 with the code 971 and `Retry-After`; the request has no effect",
    documented: "1,200 requests per five minutes for each user or token; then 429 until the period ends",
    source: LIMITS,
  },
  api_failed: {
    where: "api",
    rate: 0.015,
    happens: "status 500 with the code 10013; the request has no effect",
    documented: "not documented; reported by users",
    source: "https://github.com/cloudflare/workers-sdk/issues/8657",
  },
  api_unavailable: {
    where: "api",
    rate: 0.015,
    happens: "status 503 with plain text; the request has no effect",
    documented: "not documented; reported by users",
    source: "https://github.com/cloudflare/workers-sdk/issues/11057",
  },
  api_not_received: {
    where: "api",
    rate: 0.015,
    happens: "the connection is cut; the request has no effect",
    documented: "not documented; inherent in HTTP",
    source: "https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2",
  },
  api_response_lost: {
    where: "api",
    rate: 0.015,
    happens: "the request takes effect, then the connection is cut",
    documented: "not documented; inherent in HTTP",
    source: "https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2",
  },
  api_slow: {
    where: "api",
    rate: 0.01,
    happens: "the response takes up to 20 seconds",
    documented: "not documented",
    source: "https://github.com/cloudflare/workers-sdk/issues/10436",
  },
  api_bad_gateway: {
    where: "api",
    rate: 0.01,
    happens: "status 502 with a page in HTML; the request has no effect",
    documented: "not documented; reported by users",
    source: "https://github.com/cloudflare/terraform-provider-cloudflare/issues/6422",
  },
  api_late_list: {
    where: "api-lists",
    rate: 0.5,
    happens: "lists of the API omit a new object, or still have a deleted one, for up to three seconds",
    documented: "not documented",
    source: "not documented",
  },
  kv_stale_read: {
    where: "kv",
    rate: 0.5,
    happens:
      "a Worker's read is in another location: it gets what that location has read within `cacheTtl`, also the absence of a key",
    documented: "changes take up to 60 seconds or more in locations that have read the key, also when it did not exist",
    source: "https://developers.cloudflare.com/kv/concepts/how-kv-works/",
  },
  access_late_change: {
    where: "access",
    rate: 0.5,
    happens: "a change of a policy, group or list takes effect up to 60 seconds later",
    documented: "not documented",
    source: "not documented",
  },
  container_evicted: {
    where: "containers",
    rate: 0.2,
    happens: "the container gets SIGTERM within ten minutes of its start, and SIGKILL 15 minutes later",
    documented: "a container runs until its host restarts, irregularly: SIGTERM, then SIGKILL after 15 minutes",
    source: ROLLOUTS,
  },
  container_slow_start: {
    where: "containers",
    rate: 0.2,
    happens: "the start takes up to ten seconds longer",
    documented: "a cold start often takes 2 to 3 seconds, depending on the image",
    source: "https://developers.cloudflare.com/containers/faq/",
  },
  container_no_capacity: {
    where: "containers",
    rate: 0.05,
    happens: "the start fails",
    documented: "not documented; the vendor's package expects the message and retries",
    source: "https://github.com/cloudflare/containers/blob/main/src/lib/container.ts",
  },
  hyperdrive_dropped: {
    where: "hyperdrive",
    rate: 0.01,
    happens: "a Worker's connection is cut at one of its first four queries, which the database may have run",
    documented: "not documented",
    source: "not documented",
  },
  queue_redelivered: {
    where: "queues",
    rate: 0.2,
    happens:
      "an acknowledged message is delivered again, with the same id and one more attempt, at once or after the queue's next batch, newest first",
    documented: "at least once; in rare occasions more than once. Time and order are not documented",
    source: "https://developers.cloudflare.com/queues/reference/delivery-guarantees/",
  },
  object_evicted: {
    where: "objects",
    rate: 0.03,
    happens: "a Durable Object ends when it is idle after a call: its memory is lost, and its WebSockets close",
    documented: "objects shut down occasionally: without requests, for updates of the runtime, and to move",
    source: "https://developers.cloudflare.com/durable-objects/concepts/durable-object-lifecycle/",
  },
  object_reset: {
    where: "uploads",
    rate: 0.5,
    happens:
      "the calls in flight to a script's Durable Objects fail with an error whose `retryable` is true; memory is lost, WebSockets close",
    documented:
      "an active object gets up to five minutes before it adopts new code, by best effort; then it is reset. Storage is unaffected",
    source: "https://developers.cloudflare.com/durable-objects/best-practices/error-handling/",
  },
  analytics_late: {
    where: "analytics",
    rate: 0.5,
    happens: "a data point becomes queryable up to five minutes after its write, with the time of the write",
    documented: "not documented; writes do not wait for their storage",
    source: "https://developers.cloudflare.com/analytics/analytics-engine/get-started/",
  },
  analytics_sampled: {
    where: "sampling",
    rate: 0.05,
    happens: "one of four such data points of an index is stored, with the `_sample_interval` 4",
    documented: "points that are written too quickly to an index are sampled, noticeably above about 100 a second",
    source: "https://developers.cloudflare.com/analytics/analytics-engine/sampling/",
  },
  database_restarted: {
    where: "database",
    rate: 0.25,
    happens:
      'a program that runs the database ends its sessions with 57P01 and refuses new ones with 57P03 for some seconds. The edge has no database: ask `edge.weather.next("database", step)`',
    documented: "not Cloudflare's: PostgreSQL ends sessions when an administrator or a crash restarts it",
    source: "https://www.postgresql.org/docs/current/errcodes-appendix.html",
  },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
