/**
 * Where the gateway takes messages of each kind, how it authenticates them, and how it shows acceptance. OpenClaw documents the paths of its
 * channels (docs.openclaw.ai/channels) and of its hooks (docs.openclaw.ai/automation/cron-jobs/webhooks).
 */

/**
 * - `bearer`: `authorization: Bearer {delivery key}`.
 * - `telegram`, `slack`, `line`: as the vendor does, with the delivery key as the secret.
 * - `vendor`: the vendor's own `authorization`, a signed JWT that only the vendor can create.
 */
export type Authentication = "bearer" | "telegram" | "slack" | "line" | "vendor";

export interface DeliveryTarget {
  /** `{name}` is the door's name, `{subpath}` the path after its key. */
  path: string;
  authentication: Authentication;
  /** Whether only a response with the header of durable acceptance accepts. Else any 2xx response does. */
  isDurable: boolean;
}

const HOOK: DeliveryTarget = { path: "/hooks/{name}", authentication: "bearer", isDurable: false };

/**
 * Kinds that are not delivered as {@link HOOK}. The header of durable acceptance: github.com/openclaw/openclaw/pull/104407 (Telegram), 115796
 * (LINE), 115586 (Google Chat). Slack's and Teams' channels do not send it.
 */
const TARGETS: Readonly<Record<string, DeliveryTarget>> = {
  telegram: { path: "/telegram-webhook", authentication: "telegram", isDurable: true },
  slack: { path: "/slack/events", authentication: "slack", isDurable: false },
  line: { path: "/line/webhook", authentication: "line", isDurable: true },
  googlechat: { path: "/googlechat", authentication: "vendor", isDurable: true },
  msteams: { path: "/api/messages", authentication: "vendor", isDurable: false },
  openclaw: { ...HOOK, path: "/hooks/{subpath}" },
};

/** @param kind of a later platform too, which is delivered to the hook of its door's name */
export const targetOf = (kind: string): DeliveryTarget =>
  (Object.hasOwn(TARGETS, kind) ? TARGETS[kind] : undefined) ?? HOOK;

/** Responses after which the gateway never accepts the message. */
const FINAL: ReadonlySet<number> = new Set([400, 413, 415, 422]);
/** Responses of a gateway that is not set up for the message, which an administrator may change. */
const UNREADY: ReadonlySet<number> = new Set([401, 403, 404, 405, 410]);
export const UNREADY_ATTEMPTS = 8;

/** Most attempts whose last response has a status: `Infinity` until the time is over. */
export function attemptsFor(status: number): number {
  if (FINAL.has(status)) return 1;
  return UNREADY.has(status) ? UNREADY_ATTEMPTS : Number.POSITIVE_INFINITY;
}

/** Whether a gateway that has just started may send this response because it is not complete yet. */
export const mayBeStarting = (status: number | undefined): boolean => status === 404 || status === 503;
