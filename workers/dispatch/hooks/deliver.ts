/** Hands a verified webhook to the tenant's inbox. */
import { rejectionBy } from "@tenantry/std/within";
import { WEBHOOK_KINDS } from "@tenantry/webhooks/kinds";
import * as z from "zod";
import { trafficErrors } from "#domain/errors/tenants/traffic.ts";
import type { DoorRecord } from "#workers/contracts/door-entry.ts";
import {
  DELIVERY_HEADER,
  encodeDelivery,
  INBOX_PATH,
  type InboxAnswer,
  type InboxDelivery,
  inboxAnswer,
  inboxOutcome,
  OUTCOME_HEADER,
} from "#workers/contracts/tenant/inbox.ts";
import type { TenantRecord } from "#workers/contracts/tenant-entry.ts";
import { sha256Hex } from "#workers/shared/hex.ts";
import { callWorker } from "../forward/worker-call.ts";
import { type Refusal, refusal } from "../refusal.ts";

const RETRY_SECONDS = 5;
const retryAfter = z.coerce.number().positive().max(3_600).catch(RETRY_SECONDS);
/** Of a query and of a header, as in `inboxDelivery`. */
const MAX_TEXT = 4_096;
const MAX_CONVERSATION = 512;

export interface Webhook {
  method: string;
  subpath: string;
  /** Without `?`. */
  query: string;
  headers: Headers;
  receivedAt: Date;
}

/** Returns what the inbox stores beside the body; `undefined` if it is too large for a header. */
export async function deliveryOf(
  { id: door, kind, name }: DoorRecord,
  { method, subpath, query, headers, receivedAt }: Webhook,
  { eventId, conversation }: { eventId: string; conversation: string | undefined },
): Promise<InboxDelivery | undefined> {
  const forwarded: [string, string][] = [];
  for (const header of WEBHOOK_KINDS[kind].forwarded) {
    const value = headers.get(header);
    if (value !== null) forwarded.push([header, value]);
  }
  // The tenant's Worker validates the rest: a verified webhook cannot break it, and a schema's check takes measurable time.
  if (query.length > MAX_TEXT || forwarded.some(([, value]) => value.length > MAX_TEXT)) return undefined;
  return {
    door,
    kind,
    name,
    eventId,
    conversation: await conversationName(conversation),
    subpath,
    query,
    method,
    headers: forwarded,
    receivedAt: receivedAt.toISOString(),
  };
}

async function conversationName(conversation: string | undefined): Promise<string | null> {
  if (conversation === undefined || conversation === "") return null;
  return conversation.length <= MAX_CONVERSATION ? conversation : `sha256:${await sha256Hex(conversation)}`;
}

/** Returns after the inbox has stored the message. @throws Refusal: the vendor sends the webhook again */
export async function deliver(
  dispatcher: DispatchNamespace,
  { worker_name: worker, billing_plan: limitsOf }: TenantRecord,
  message: { domain: string; delivery: InboxDelivery; body: Uint8Array<ArrayBuffer>; until: AbortSignal },
): Promise<InboxAnswer["outcome"]> {
  const sent = new Request(`https://${worker}.${message.domain}${INBOX_PATH}`, {
    method: "POST",
    headers: { [DELIVERY_HEADER]: encodeDelivery(message.delivery) },
    body: message.body,
  });
  let response: Response;
  try {
    // A signal of the request takes longer. The tenant may still store the message: it recognizes the vendor's repetition.
    response = await Promise.race([callWorker(dispatcher, { worker, limitsOf }, sent), rejectionBy(message.until)]);
    const outcome = inboxOutcome.safeParse(response.headers.get(OUTCOME_HEADER)).data;
    if (response.status === 202) return outcome ?? inboxAnswer.parse(await response.json()).outcome;
    await response.body?.cancel();
  } catch (error) {
    throw notStored(error);
  }
  throw notStored(new Error(`inbox: status ${response.status}`), retryAfter.parse(response.headers.get("retry-after")));
}

/** The vendor sends the webhook again. */
export const notStored = (cause: unknown, seconds = RETRY_SECONDS): Refusal =>
  refusal(trafficErrors.door_unavailable, {}, { retryAfter: seconds, cause });
