/** HMAC signatures of the raw body, as a table of the vendors' schemes. */
import type { WebhookKind } from "../kinds.ts";
import type { WebhookRequest, WebhookSecrets } from "../verdict.ts";
import {
  type Bytes,
  base64Of,
  bytesOf,
  type Check,
  concatenated,
  equalSignatures,
  fromBase64,
  hexOf,
  isFresh,
} from "./check.ts";

interface Signed {
  id: string;
  timestamp: string;
}

export interface HmacScheme {
  key: Bytes;
  hash: "SHA-256" | "SHA-512" | "SHA-1";
  encoding: "hex" | "base64";
  /** The header with the signature. */
  header: string;
  /** Before the signature in the header. */
  prefix: string;
  /** Between several signatures in the header. */
  separator?: " " | ",";
  timestampHeader?: string;
  /** Before the timestamp in the header with the signature. */
  timestampPrefix?: string;
  idHeader?: string;
  /** Returns what is signed before the body. Missing: the body alone is signed, without a time. */
  head?: (signed: Signed) => string;
  /** Whether hexadecimal digits in upper case are valid. */
  isCaseless?: true;
}

/** With a full stop, an id could end elsewhere in what is signed (Standard Webhooks: "Signature scheme"). */
const ID = /^[^.]+$/;

/** One request has at most this many signatures: two secrets during a rotation, in several versions. */
const MAX_SIGNATURES = 10;

const HASHES = { sha256: "SHA-256", sha512: "SHA-512", sha1: "SHA-1" } as const;

const hub = (secret = ""): HmacScheme => ({
  key: bytesOf(secret),
  hash: "SHA-256",
  encoding: "hex",
  header: "x-hub-signature-256",
  prefix: "sha256=",
});

export const standardScheme = (secret = ""): HmacScheme => ({
  key: fromBase64(secret.replace(/^whsec_/, "")),
  hash: "SHA-256",
  encoding: "base64",
  header: "webhook-signature",
  prefix: "v1,",
  separator: " ",
  timestampHeader: "webhook-timestamp",
  idHeader: "webhook-id",
  head: ({ id, timestamp }) => `${id}.${timestamp}.`,
});

/** Each scheme is on its kind's page in `WEBHOOK_KINDS`. */
export const HMAC_SCHEMES = {
  slack: ({ signingSecret = "" }) => ({
    key: bytesOf(signingSecret),
    hash: "SHA-256",
    encoding: "hex",
    header: "x-slack-signature",
    prefix: "v0=",
    timestampHeader: "x-slack-request-timestamp",
    head: ({ timestamp }) => `v0:${timestamp}:`,
  }),
  line: ({ channelSecret = "" }) => ({
    key: bytesOf(channelSecret),
    hash: "SHA-256",
    encoding: "base64",
    header: "x-line-signature",
    prefix: "",
  }),
  whatsapp: ({ appSecret }) => hub(appSecret),
  messenger: ({ appSecret }) => hub(appSecret),
  github: ({ secret }) => hub(secret),
  stripe: ({ signingSecret = "" }) => ({
    key: bytesOf(signingSecret),
    hash: "SHA-256",
    encoding: "hex",
    header: "stripe-signature",
    prefix: "v1=",
    separator: ",",
    timestampPrefix: "t=",
    head: ({ timestamp }) => `${timestamp}.`,
  }),
  "standard-webhooks": ({ secret }) => standardScheme(secret),
  hmac: ({ secret = "", header = "", algorithm = "", encoding, prefix = "" }) => ({
    key: bytesOf(secret),
    hash: HASHES[algorithm as keyof typeof HASHES],
    encoding: encoding === "base64" ? "base64" : "hex",
    header,
    prefix,
    isCaseless: true,
  }),
} satisfies Partial<Record<WebhookKind, (secrets: WebhookSecrets) => HmacScheme>>;

const importKey = ({ key, hash }: HmacScheme): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", key, { name: "HMAC", hash }, false, ["sign"]);

/** Returns the signature as it is in the header, without its prefix. @param key imported from the scheme's. Default: imports it */
export async function hmacSignature(scheme: HmacScheme, signed: Signed, body: Bytes, key?: CryptoKey): Promise<string> {
  const content = concatenated(scheme.head?.(signed) ?? "", body);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key ?? (await importKey(scheme)), content));
  return scheme.encoding === "hex" ? hexOf(signature) : base64Of(signature);
}

/** Returns the only part with the prefix, without it. */
function onlyWith(prefix: string, parts: readonly string[]): string | undefined {
  const [found, ...others] = parts.filter((part) => part.startsWith(prefix));
  return others.length === 0 ? found?.slice(prefix.length) : undefined;
}

function timestampOf(scheme: HmacScheme, parts: readonly string[], { headers }: WebhookRequest) {
  if (scheme.timestampPrefix !== undefined) return onlyWith(scheme.timestampPrefix, parts);
  return scheme.timestampHeader === undefined ? undefined : (headers.get(scheme.timestampHeader) ?? undefined);
}

interface Prepared {
  scheme: HmacScheme;
  /** Imported at the first signature. */
  key?: CryptoKey;
}

export function hmacCheck(schemeOf: (secrets: WebhookSecrets) => HmacScheme): Check {
  /** By the object of the secrets: importing a key takes as long as a signature. */
  const prepared = new WeakMap<WebhookSecrets, Prepared>();
  return async (secrets, request, { now }) => {
    const known = prepared.get(secrets) ?? { scheme: schemeOf(secrets) };
    prepared.set(secrets, known);
    const { scheme } = known;
    const header = request.headers.get(scheme.header);
    if (!header) return "signature_missing";
    const parts = scheme.separator === undefined ? [header] : header.split(scheme.separator);
    const timestamp = timestampOf(scheme, parts, request) ?? "";
    if (scheme.head && !isFresh(timestamp, now)) return "timestamp";
    const id = scheme.idHeader === undefined ? "" : request.headers.get(scheme.idHeader);
    if (id === null) return "signature_missing";
    if (scheme.idHeader !== undefined && !ID.test(id)) return "signature_wrong";
    const given = parts
      .filter((part) => part.startsWith(scheme.prefix))
      .map((part) => part.slice(scheme.prefix.length))
      .map((signature) => (scheme.isCaseless && scheme.encoding === "hex" ? signature.toLowerCase() : signature));
    if (given.length === 0 || given.length > MAX_SIGNATURES) return "signature_wrong";
    known.key ??= await importKey(scheme);
    const expected = await hmacSignature(scheme, { id, timestamp }, request.body, known.key);
    return given.some((signature) => equalSignatures(signature, expected)) ? undefined : "signature_wrong";
  };
}
