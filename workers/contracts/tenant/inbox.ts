/**
 * The durable inbox of a tenant: messages of verified webhooks, which its Supervisor object stores and delivers to the gateway. A door is a
 * public webhook endpoint of the tenant. An event ID is the vendor's.
 */
import * as z from "zod";
import { decodeAs, encodeJson } from "../platform-headers.ts";
import { INTERNAL_PATH_PREFIX } from "./internal.ts";

/**
 * `POST` by the dispatch Worker with the raw body of a verified webhook and {@link DELIVERY_HEADER}. 202 with an {@link inboxAnswer} after the
 * message is stored; 503 `inbox_full` with `Retry-After`; 400 for a malformed header; 413 above {@link MAX_INBOX_BODY_BYTES}. `GET` lists messages:
 * query as {@link inboxQuery}, 200 with an {@link inboxPage}. A Worker of an earlier version responds with 404 `internal_path_not_found`.
 */
export const INBOX_PATH = `${INTERNAL_PATH_PREFIX}/inbox`;
/** `POST` with an {@link inboxSelection}: queues dead messages again. 200 with an {@link inboxChange}. */
export const INBOX_REPLAY_PATH = `${INBOX_PATH}/replay`;
/** `POST` with an {@link inboxSelection}: drops dead messages, or queued ones that are named. 200 with an {@link inboxChange}. */
export const INBOX_DROP_PATH = `${INBOX_PATH}/drop`;
/** `GET` with `state` as in {@link inboxQuery}: all messages with their content, one {@link exportedMessage} per line, oldest first. */
export const INBOX_EXPORT_PATH = `${INBOX_PATH}/export`;
export const INBOX_EXPORT_TYPE = "application/x-ndjson";

/** Header of a request to {@link INBOX_PATH}: an {@link InboxDelivery}, encoded by {@link encodeDelivery}. */
export const DELIVERY_HEADER = "X-Platform-Delivery";

/** Header of a 202: the outcome of the {@link inboxAnswer}, which takes less time to read. Earlier versions do not send it. */
export const OUTCOME_HEADER = "X-Platform-Outcome";

/** Of the objects in the tenant's bucket with bodies that are too large for the object's storage. */
export const INBOX_PREFIX = "inbox/";

/** Maximum size of a message's body in bytes: GitHub's limit, the largest of all kinds. */
export const MAX_INBOX_BODY_BYTES = 25 * 1024 * 1024;
/** Pending and dead messages of a tenant whose Worker has no variable `INBOX_MESSAGES`: those of the smallest plan. */
export const DEFAULT_INBOX_MESSAGES = 1_000;

/** From the tenant Worker to the gateway: the ID of the message, the same in each attempt. */
export const MESSAGE_HEADER = "X-Tenantry-Delivery";
/** From the tenant Worker to the gateway: the event ID, the same in each attempt. */
export const IDEMPOTENCY_HEADER = "Idempotency-Key";
/** Response header of the gateway with the value `durable`: it has stored the message, and processes it after a restart too. */
export const DURABLE_HEADER = "x-openclaw-delivery-accepted";
export const DURABLE_VALUE = "durable";
/**
 * Text for the key by which the gateway authenticates deliveries: hex HMAC-SHA-256 of this text with the gateway's token as the key. Both sides
 * derive it.
 */
export const DELIVERY_KEY_TEXT = "tenantry-deliveries";

/** Printable ASCII without spaces at the ends: safe in a header. */
const headerText = z.string().regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/);

/** A header cannot contain other characters. */
const HEADER_VALUE = /^[^\0\r\n]*$/;

export const inboxDelivery = z.object({
  /** ID of the door. */
  door: z.uuid(),
  /** Kind of the door (`@tenantry/webhooks`). A later platform may have others. */
  kind: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
  /** Name of the door, unique in the tenant. */
  name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/),
  /** The vendor's ID of the event: unique for this door. */
  eventId: headerText.max(256),
  /** Messages of a door and conversation are delivered in order; `null`: without order. */
  conversation: z.string().min(1).max(512).nullable(),
  /** Path after the door's key, without a leading slash. No segment begins with a dot. */
  subpath: z
    .string()
    .max(256)
    .regex(/^(?:[\w~-][\w.~-]*(?:\/[\w~-][\w.~-]*)*)?$/),
  /** Query without `?`. */
  query: z.string().max(4096),
  method: z.string().regex(/^[A-Z]{1,16}$/),
  /** Headers of the vendor that are passed on, in lower case. */
  headers: z.array(z.tuple([z.string().regex(/^[a-z0-9-]{1,64}$/), z.string().max(4096).regex(HEADER_VALUE)])).max(32),
  /** ISO 8601 UTC. */
  receivedAt: z.iso.datetime(),
});
export type InboxDelivery = z.infer<typeof inboxDelivery>;

export const encodeDelivery = (delivery: InboxDelivery): string => encodeJson(delivery);

/** Returns `undefined` for a malformed value. */
export const decodeDelivery = (value: string): InboxDelivery | undefined => decodeAs(inboxDelivery, value);

/** `duplicate`: a message with this event ID was stored before. */
export const inboxOutcome = z.enum(["queued", "duplicate"]);
export const inboxAnswer = z.object({ outcome: inboxOutcome });
export type InboxAnswer = z.infer<typeof inboxAnswer>;

/**
 * `queued`: waits for its delivery. `delivering`: an attempt is in progress. `accepted`: the gateway has it. `dead`: failed for good, until it
 * is replayed or dropped. `dropped`: deleted by an administrator. Of accepted and dropped messages only the event ID is stored.
 */
export const messageStates = ["queued", "delivering", "accepted", "dead", "dropped"] as const;
export const messageState = z.enum(messageStates);
export type MessageState = z.infer<typeof messageState>;

/**
 * Why the last attempt failed. `status`: the gateway refused it. `not-durable`: a 2xx response without {@link DURABLE_HEADER}. `connection`: the
 * gateway closed the connection. `expired`: the gateway was not ready until the message had no time left. `body-lost`: its body is missing in the
 * bucket, or could not be read until the message had no time left. `crash`: the gateway ended at each of its last attempts.
 */
export const deliveryFailures = [
  "status",
  "not-durable",
  "timeout",
  "connection",
  "expired",
  "body-lost",
  "crash",
] as const;
export const deliveryFailure = z.enum(deliveryFailures);

export const inboxMessage = z.object({
  id: z.uuid(),
  ...inboxDelivery.pick({ door: true, kind: true, name: true, eventId: true, conversation: true, receivedAt: true })
    .shape,
  state: messageState,
  /** Size of the body. */
  bytes: z.int().nonnegative(),
  /** Attempts that a running gateway has answered or has not answered in time. */
  attempts: z.int().nonnegative(),
  /** When the message entered its state or was last attempted: ISO 8601 UTC. */
  changedAt: z.iso.datetime(),
  /** When the next attempt is due, while it waits for one: ISO 8601 UTC. */
  nextAttemptAt: z.iso.datetime().optional(),
  /** Of the last attempt, unless the message is accepted. */
  failure: z.object({ reason: deliveryFailure, status: z.int().optional() }).optional(),
});
export type InboxMessage = z.infer<typeof inboxMessage>;

export const MAX_INBOX_PAGE = 200;
export const inboxQuery = z.object({
  /** Default: pending and dead messages. */
  state: messageState.optional(),
  /** {@link inboxPage}`.next` of the previous page. */
  after: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, "is not a cursor of this list; omit it to start from the first page")
    .optional(),
  limit: z.coerce.number().int().min(1).max(MAX_INBOX_PAGE).default(50),
});
export type InboxQuery = z.infer<typeof inboxQuery>;

/** State of the inbox as a whole. */
export const inboxStatus = z.object({
  /** Queued messages, and those whose delivery is in progress. */
  pending: z.int().nonnegative(),
  dead: z.int().nonnegative(),
  /** Most messages, pending and dead together. */
  limit: z.int().positive(),
  /** When the oldest pending message was received: ISO 8601 UTC. */
  oldestAt: z.iso.datetime().optional(),
});
export type InboxStatus = z.infer<typeof inboxStatus>;

/** Messages in the order of their receipt. */
export const inboxPage = z.object({
  messages: z.array(inboxMessage),
  /** Cursor of the next page; absent at the end. */
  next: z.string().optional(),
  status: inboxStatus,
});
export type InboxPage = z.infer<typeof inboxPage>;

/** `all`: all dead messages. */
export const inboxSelection = z.union([
  z.strictObject({ ids: z.array(z.uuid()).min(1).max(MAX_INBOX_PAGE) }),
  z.strictObject({ all: z.literal(true) }),
]);
export type InboxSelection = z.infer<typeof inboxSelection>;

/** How many messages were changed. Those in another state are unchanged. */
export const inboxChange = z.object({ changed: z.int().nonnegative() });
export type InboxChange = z.infer<typeof inboxChange>;

/** A line of the export. */
export const exportedMessage = inboxMessage.extend({
  ...inboxDelivery.pick({ subpath: true, query: true, method: true, headers: true }).shape,
  /** Base64; absent when only the event ID is stored. */
  body: z.base64().optional(),
});
export type ExportedMessage = z.infer<typeof exportedMessage>;
