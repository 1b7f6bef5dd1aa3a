/** Builds the request that delivers a message to the gateway. */
import { signWebhook } from "@tenantry/webhooks";
import { DELIVERY_KEY_TEXT, IDEMPOTENCY_HEADER, MESSAGE_HEADER } from "#workers/contracts/tenant/inbox.ts";
import { hex } from "#workers/shared/hex.ts";
import type { MessageRow, StoredRequest } from "./rows.ts";
import { type DeliveryTarget, targetOf } from "./targets.ts";

/** A message to deliver. */
export interface Delivery {
  message: Pick<MessageRow, "id" | "kind" | "name" | "event_id" | "bytes">;
  request: StoredRequest;
  /** The raw body; a stream for a large one. */
  body: ArrayBuffer | ReadableStream<Uint8Array>;
}

/** Returns the key by which the gateway authenticates deliveries. */
export async function deliveryKeyOf(gatewayToken: string): Promise<string> {
  const encoder = new TextEncoder();
  const usage = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(gatewayToken), usage, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", key, encoder.encode(DELIVERY_KEY_TEXT)));
}

/**
 * Returns the request for the gateway.
 *
 * @param origin of the tenant, such as `https://acme.example.com`
 * @param now milliseconds since the epoch, for signatures with a time
 */
export async function deliveryRequest(
  { message, request, body }: Delivery,
  { origin, deliveryKey, now }: { origin: string; deliveryKey: string; now: number },
): Promise<Request> {
  const target = targetOf(message.kind);
  const url = new URL(pathOf(target, message.name, request.subpath), origin);
  url.search = request.query;
  const headers = new Headers(request.headers);
  if (target.authentication !== "vendor") headers.delete("authorization");
  headers.set(MESSAGE_HEADER, message.id);
  headers.set(IDEMPOTENCY_HEADER, message.event_id);
  const content = isSigned(target) && !(body instanceof ArrayBuffer) ? await new Response(body).arrayBuffer() : body;
  for (const [name, value] of Object.entries(
    await authenticate(target, { headers, request, content, deliveryKey, now }),
  ))
    headers.set(name, value);
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  if (hasBody) headers.set("content-length", String(message.bytes));
  return new Request(url, { method: request.method, headers, redirect: "manual", ...(hasBody && { body: content }) });
}

const isSigned = ({ authentication }: DeliveryTarget): boolean =>
  authentication === "slack" || authentication === "line";

function pathOf({ path }: DeliveryTarget, name: string, subpath: string): string {
  const segments = subpath.split("/").map(encodeURIComponent).join("/");
  return path.replace("{name}", encodeURIComponent(name)).replace("{subpath}", segments);
}

interface Authenticated extends Pick<Delivery, "request"> {
  content: Delivery["body"];
  headers: Headers;
  deliveryKey: string;
  now: number;
}

/** Returns the headers that authenticate a delivery. */
async function authenticate(target: DeliveryTarget, given: Authenticated): Promise<Record<string, string>> {
  const { headers, request, content, deliveryKey, now } = given;
  switch (target.authentication) {
    case "vendor":
      return {};
    case "bearer":
      return { authorization: `Bearer ${deliveryKey}` };
    case "telegram":
      return { "x-telegram-bot-api-secret-token": deliveryKey };
    case "slack":
    case "line": {
      const secrets =
        target.authentication === "slack" ? { signingSecret: deliveryKey } : { channelSecret: deliveryKey };
      const bytes = new Uint8Array(content instanceof ArrayBuffer ? content : new ArrayBuffer(0));
      const { method, subpath, query } = request;
      const signed = { method, subpath, query: new URLSearchParams(query), headers, body: bytes };
      return signWebhook(target.authentication, secrets, signed, { now });
    }
  }
}
