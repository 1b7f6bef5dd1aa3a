/** Rows of the inbox's tables, and what they are outside the storage. */
import * as z from "zod";
import {
  deliveryFailure,
  type InboxMessage,
  inboxDelivery,
  inboxMessage,
  messageState,
} from "#workers/contracts/tenant/inbox.ts";

const failure = z.object({
  reason: deliveryFailure,
  status: z.int().optional(),
  /** The attempt, if its gateway may have ended: `crashes.ts`. */
  attempt: z.object({ gateway: z.string(), at: z.number(), isAlone: z.boolean(), crashes: z.int() }).optional(),
});
export type StoredFailure = z.infer<typeof failure>;

/** Columns of {@link messageRow}. */
export const MESSAGE_COLUMNS =
  "seq, id, door, kind, name, event_id, conversation, state, bytes, attempts, received_at, retry_until, changed_at, due_at, failure";

export const messageRow = z.object({
  seq: z.number(),
  id: z.string(),
  door: z.string(),
  kind: z.string(),
  name: z.string(),
  event_id: z.string(),
  conversation: z.string().nullable(),
  state: messageState,
  bytes: z.number(),
  attempts: z.number(),
  received_at: z.number(),
  retry_until: z.number(),
  changed_at: z.number(),
  due_at: z.number().nullable(),
  failure: z.string().nullable(),
});
export type MessageRow = z.infer<typeof messageRow>;

/** The request of the vendor, apart from its body. */
export const storedRequest = inboxDelivery.pick({ subpath: true, query: true, method: true, headers: true });
export type StoredRequest = z.infer<typeof storedRequest>;

/** A body that is stored in SQLite, or the key of its object in the bucket. */
export type StoredBody = { bytes: ArrayBuffer } | { object: string };

export interface MessageContent {
  request: StoredRequest;
  body: StoredBody;
}

export const contentRow = z
  .object({ request: z.string(), body: z.instanceof(ArrayBuffer).nullable(), object: z.string().nullable() })
  .transform(
    ({ request, body, object }): MessageContent => ({
      request: storedRequest.parse(JSON.parse(request)),
      body: object === null ? { bytes: body ?? new ArrayBuffer(0) } : { object },
    }),
  );

/** Returns the failure of the last attempt. */
export const failureOf = ({ failure: text }: Pick<MessageRow, "failure">): StoredFailure | undefined =>
  text === null ? undefined : failure.safeParse(JSON.parse(text)).data;

const timeOf = (ms: number): string => new Date(ms).toISOString();

export function messageOf(row: MessageRow): InboxMessage {
  const { event_id: eventId, received_at, changed_at, due_at, failure: _, attempts, ...rest } = row;
  const failed = failureOf(row);
  return inboxMessage.parse({
    ...rest,
    eventId,
    attempts,
    receivedAt: timeOf(received_at),
    changedAt: timeOf(changed_at),
    ...(due_at !== null && attempts > 0 && { nextAttemptAt: timeOf(due_at) }),
    ...(failed !== undefined && { failure: failed }),
  });
}
