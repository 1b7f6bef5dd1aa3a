/** Requests that tests send, of every kind that can be signed here. */
import { expect } from "vitest";
import type { WebhookKind } from "../kinds.ts";
import type { SignableKind } from "../sign.ts";
import { signWebhook } from "../sign.ts";
import type { Verdict, WebhookRequest, WebhookSecrets } from "../verdict.ts";
import { verifyWebhook } from "../verify.ts";

export const NOW = Date.UTC(2026, 10, 26, 12);

export const bytes = (text: string) => new TextEncoder().encode(text);

export function requestOf(body: unknown, more: Partial<WebhookRequest> = {}): WebhookRequest {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    method: "POST",
    subpath: "",
    query: new URLSearchParams(),
    headers: new Headers(),
    body: bytes(text),
    ...more,
  };
}

export const withHeaders = (request: WebhookRequest, headers: Record<string, string>): WebhookRequest => {
  const all = new Headers(request.headers);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return { ...request, headers: all };
};

const noKeys = () => Promise.reject(new Error("This kind has no keys."));

/** Verifies at {@link NOW} by default. */
export const verify = (
  kind: WebhookKind,
  secrets: WebhookSecrets | readonly WebhookSecrets[],
  request: WebhookRequest,
  now = NOW,
): Promise<Verdict> => verifyWebhook(kind, secrets, request, { now, keys: noKeys });

interface Sample {
  secrets: WebhookSecrets;
  /** Of the same form, and another value. */
  other: WebhookSecrets;
  /** What signs, where that is not what verifies. */
  signing?: WebhookSecrets;
  request: WebhookRequest;
}

const WHSEC = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER_WHSEC = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/** The test vector 1 of RFC 8032, section 7.1. */
const DISCORD = {
  publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
  privateKey: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
};

const META = { appSecret: "appsecret", verifyToken: "meatyhamhock" };
const OTHER_META = { appSecret: "another", verifyToken: "meatyhamhock" };

export const SAMPLES: Readonly<Record<SignableKind, Sample>> = {
  telegram: {
    secrets: { secretToken: "my-Secret_1" },
    other: { secretToken: "my-Secret_2" },
    request: requestOf({ update_id: 10_000, message: { message_id: 1, chat: { id: 42, type: "group" }, text: "hé" } }),
  },
  slack: {
    secrets: { signingSecret: "8f742231b10e8888abcd99yyyzzz85a5" },
    other: { signingSecret: "8f742231b10e8888abcd99yyyzzz85a6" },
    request: requestOf({ type: "event_callback", event_id: "Ev1", team_id: "T1", event: { channel: "C1" } }),
  },
  discord: {
    secrets: { publicKey: DISCORD.publicKey },
    other: { publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c" },
    signing: { privateKey: DISCORD.privateKey },
    request: requestOf({ id: "9", type: 2, channel_id: "77", token: "t" }),
  },
  line: {
    secrets: { channelSecret: "channel-secret" },
    other: { channelSecret: "channel-secreT" },
    request: requestOf({ events: [{ webhookEventId: "01FZ", source: { userId: "U1" } }] }),
  },
  whatsapp: {
    secrets: META,
    other: OTHER_META,
    request: requestOf({ entry: [{ changes: [{ value: { messages: [{ id: "wamid.1", from: "1555" }] } }] }] }),
  },
  messenger: {
    secrets: META,
    other: OTHER_META,
    request: requestOf({ entry: [{ id: "P", messaging: [{ sender: { id: "U" }, message: { mid: "m1" } }] }] }),
  },
  github: {
    secrets: { secret: "It's a Secret to Everybody" },
    other: { secret: "It's a secret to Everybody" },
    request: requestOf("Hello, World!", { headers: new Headers({ "x-github-delivery": "guid" }) }),
  },
  gitlab: {
    secrets: { token: "unused", signingToken: WHSEC },
    other: { token: "unused", signingToken: OTHER_WHSEC },
    request: requestOf({ object_kind: "push" }, { headers: new Headers({ "webhook-id": "id-1" }) }),
  },
  stripe: {
    secrets: { signingSecret: "whsec_test_secret" },
    other: { signingSecret: "whsec_test_secre7" },
    request: requestOf({ id: "evt_1", object: "event" }),
  },
  "standard-webhooks": {
    secrets: { secret: WHSEC },
    other: { secret: OTHER_WHSEC },
    request: requestOf("not JSON \u0000 \ud83d\ude00\n", { headers: new Headers({ "webhook-id": "msg_1" }) }),
  },
  openclaw: {
    secrets: { token: "hook-token" },
    other: { token: "hook-tokeN" },
    request: requestOf({ message: "Run this" }, { subpath: "agent" }),
  },
  hmac: {
    secrets: { secret: "s", header: "x-sum", algorithm: "sha512", encoding: "base64", prefix: "sha512=" },
    other: { secret: "t", header: "x-sum", algorithm: "sha512", encoding: "base64", prefix: "sha512=" },
    request: requestOf("", { headers: new Headers({ "idempotency-key": "k" }) }),
  },
  bearer: {
    secrets: { token: "abc~+/=" },
    other: { token: "abc~+/-" },
    request: requestOf("a=b", { headers: new Headers({ "idempotency-key": "k" }) }),
  },
};

export const SIGNABLE = Object.keys(SAMPLES) as SignableKind[];

/** Returns the sample of a kind with the vendor's headers. */
export async function signedSample(
  kind: SignableKind,
  request = SAMPLES[kind].request,
  now = NOW,
): Promise<WebhookRequest> {
  const { secrets, signing = secrets } = SAMPLES[kind];
  return withHeaders(request, await signWebhook(kind, signing, request, { now }));
}

/** Verifies a request of a sample with the right secrets. */
export const verifySample = (kind: SignableKind, request: WebhookRequest, now = NOW) =>
  verify(kind, SAMPLES[kind].secrets, request, now);

/** Signs and verifies, and returns the verdict on a valid request. */
export async function verdictOn(kind: SignableKind, body: unknown, headers: Record<string, string> = {}) {
  const request = await signedSample(kind, requestOf(body, { headers: new Headers(headers) }));
  return verifySample(kind, request);
}

/** Returns event id and conversation of a valid request. */
export async function eventOf(kind: SignableKind, body: unknown, headers: Record<string, string> = {}) {
  const verdict = await verdictOn(kind, body, headers);
  if (verdict.outcome !== "verified") expect.fail(`The outcome is ${JSON.stringify(verdict)}`);
  return { eventId: verdict.eventId, conversation: verdict.conversation };
}
