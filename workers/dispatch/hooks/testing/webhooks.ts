/** Webhooks of every kind, signed as their vendors do. */
import { generateKeyPairSync, sign } from "node:crypto";
import { signWebhook, type WebhookSecrets } from "@tenantry/webhooks";
import type { WebhookKind } from "@tenantry/webhooks/kinds";

export interface Sent {
  method: string;
  /** After the door's key, with a slash. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

interface Sample {
  secrets: WebhookSecrets;
  /** For signing. Default: `secrets`. */
  signing?: WebhookSecrets;
  path?: string;
  headers?: Record<string, string>;
  /** @param id of the event */
  body: (id: string) => unknown;
}

const discord = generateKeyPairSync("ed25519");
const raw = (format: "d" | "x") =>
  Buffer.from(discord.privateKey.export({ format: "jwk" })[format] ?? "", "base64url").toString("hex");
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const CHAT_ISSUER = "chat@system.gserviceaccount.com";
const PROJECT = "1234567890";
const APP = "0b7c1f8e-5d2a-4c3b-9e6f-a1b2c3d4e5f6";
const SERVICE_URL = "https://smba.trafficmanager.net/teams/";

/** Key set of Google and Microsoft. @param kid Default: the one of {@link signed} */
export const keySet = (kid = "key-1") => ({
  keys: [{ ...rsa.publicKey.export({ format: "jwk" }), kid, alg: "RS256", use: "sig", endorsements: ["msteams"] }],
});

function jwt(claims: object, now: number, kid = "key-1"): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const seconds = Math.floor(now / 1000);
  const text = `${encode({ alg: "RS256", kid })}.${encode({ iat: seconds, nbf: seconds, exp: seconds + 600, ...claims })}`;
  return `${text}.${sign("RSA-SHA256", Buffer.from(text), rsa.privateKey).toString("base64url")}`;
}

/** Claims of the kinds whose vendor sends a JWT. */
const CLAIMS: Partial<Record<WebhookKind, object>> = {
  googlechat: { iss: CHAT_ISSUER, aud: PROJECT },
  msteams: { iss: "https://api.botframework.com", aud: APP, serviceurl: SERVICE_URL },
};

const json = { "content-type": "application/json" };

export const SAMPLES: Readonly<Record<WebhookKind, Sample>> = {
  telegram: {
    secrets: { secretToken: "telegram-token" },
    body: (id) => ({ update_id: Number(id), message: { message_id: 1, chat: { id: 7, type: "private" } } }),
  },
  slack: {
    secrets: { signingSecret: "slack-secret" },
    body: (id) => ({
      type: "event_callback",
      event_id: `Ev${id}`,
      team_id: "T1",
      event: { type: "message", channel: "C1" },
    }),
  },
  discord: {
    secrets: { publicKey: raw("x") },
    signing: { privateKey: raw("d") },
    body: (id) => ({ type: 2, id, channel_id: "42" }),
  },
  line: {
    secrets: { channelSecret: "line-secret" },
    body: (id) => ({ destination: "U0", events: [{ webhookEventId: id, source: { userId: "U1" } }] }),
  },
  whatsapp: {
    secrets: { appSecret: "meta-secret", verifyToken: "meta-token" },
    body: (id) => ({
      entry: [{ changes: [{ value: { metadata: { phone_number_id: "1" }, messages: [{ id, from: "49" }] } }] }],
    }),
  },
  messenger: {
    secrets: { appSecret: "meta-secret", verifyToken: "meta-token" },
    body: (id) => ({ entry: [{ id: "page", messaging: [{ sender: { id: "49" }, message: { mid: id } }] }] }),
  },
  googlechat: {
    secrets: { audience: PROJECT },
    body: (id) => ({
      type: "MESSAGE",
      eventTime: "2026-01-01T00:00:00Z",
      message: { name: `m/${id}` },
      space: { name: "spaces/1" },
    }),
  },
  msteams: {
    secrets: { appId: APP },
    body: (id) => ({ type: "message", id, channelId: "msteams", serviceUrl: SERVICE_URL, conversation: { id: "c" } }),
  },
  github: {
    secrets: { secret: "github-secret" },
    headers: { "x-github-event": "push" },
    body: () => ({ repository: { full_name: "acme/site" } }),
  },
  gitlab: {
    secrets: { token: "gitlab-token" },
    headers: { "x-gitlab-event": "Push Hook" },
    body: () => ({ project: { path_with_namespace: "acme/site" } }),
  },
  stripe: { secrets: { signingSecret: "whsec_stripe" }, body: (id) => ({ id: `evt_${id}`, object: "event" }) },
  "standard-webhooks": {
    secrets: { secret: `whsec_${Buffer.alloc(24, 1).toString("base64")}` },
    body: () => ({ type: "contact.created" }),
  },
  openclaw: {
    secrets: { token: "hook-token" },
    path: "/agent",
    body: (id) => ({ message: "Hello", idempotencyKey: id, sessionKey: "s" }),
  },
  hmac: { secrets: { secret: "hmac-secret" }, body: () => ({ anything: true }) },
  bearer: { secrets: { token: "bearer-token" }, body: () => ({ anything: true }) },
};

/** Where vendors put the ID of an event into a header. */
const ID_HEADERS: Partial<Record<WebhookKind, string>> = {
  github: "x-github-delivery",
  gitlab: "idempotency-key",
  "standard-webhooks": "webhook-id",
  hmac: "idempotency-key",
  bearer: "idempotency-key",
};

/**
 * Returns a signed webhook.
 *
 * @param o.secrets Default: those of the sample
 * @param o.keyId of the JWT. Default: `key-1`
 */
export async function signed(
  kind: WebhookKind,
  id: string,
  o: { secrets?: WebhookSecrets; now?: number; keyId?: string; body?: string | undefined } = {},
): Promise<Sent> {
  const sample = SAMPLES[kind];
  const { now = Date.now() } = o;
  const body = o.body ?? JSON.stringify(sample.body(id));
  const idHeader = ID_HEADERS[kind];
  const headers = { ...json, ...sample.headers, ...(idHeader && { [idHeader]: id }) };
  const claims = CLAIMS[kind];
  const path = sample.path ?? "";
  const added =
    claims !== undefined || kind === "googlechat" || kind === "msteams"
      ? { authorization: `Bearer ${jwt(claims ?? {}, now, o.keyId)}` }
      : await signWebhook(
          kind,
          o.secrets ?? sample.signing ?? sample.secrets,
          {
            method: "POST",
            subpath: path.slice(1),
            query: new URLSearchParams(),
            headers: new Headers(headers),
            body: new TextEncoder().encode(body),
          },
          { now },
        );
  return { method: "POST", path, headers: { ...headers, ...added }, body };
}
