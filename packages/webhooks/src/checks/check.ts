import type { Refusal, VerifyOptions, WebhookRequest, WebhookSecrets } from "../verdict.ts";

/** Returns why the request is refused, or `undefined` if the vendor sent it. */
export type Check = (
  secrets: WebhookSecrets,
  request: WebhookRequest,
  options: VerifyOptions,
) => Promise<Refusal | undefined>;

/** Slack, Stripe and Standard Webhooks document five minutes. Discord documents none. */
const TOLERANCE_SECONDS = 300;
const SECONDS = /^\d{1,12}$/;

/** Returns whether a time in seconds is at most five minutes before or after `now`. */
export function isFresh(timestamp: string, now: number): boolean {
  return SECONDS.test(timestamp) && Math.abs(Math.floor(now / 1_000) - Number(timestamp)) <= TOLERANCE_SECONDS;
}

const utf8 = new TextEncoder();

export type Bytes = Uint8Array<ArrayBuffer>;

export function bytesOf(text: string): Bytes {
  // The types of Workers allow shared memory.
  return new Uint8Array(utf8.encode(text));
}

export function concatenated(text: string, body: Bytes): Bytes {
  if (text === "") return body;
  const head = bytesOf(text);
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function hexOf(bytes: Bytes): string {
  let text = "";
  for (const byte of bytes) text += HEX[byte];
  return text;
}

export function base64Of(bytes: Bytes): string {
  return btoa(String.fromCharCode(...bytes));
}

export function fromBase64(text: string): Bytes {
  return new Uint8Array(Array.from(atob(text), (character) => character.charCodeAt(0)));
}

export function fromHex(text: string): Bytes {
  const pairs = Array.from({ length: text.length / 2 }, (_, at) => text.slice(2 * at, 2 * at + 2));
  return new Uint8Array(pairs.map((pair) => Number.parseInt(pair, 16)));
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** Compares texts of one length in constant time: the loop has no branch. */
export function equalSignatures(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false;
  let difference = 0;
  for (let at = 0; at < expected.length; at += 1) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at);
  return difference === 0;
}

/** Compares in constant time, also for different lengths: digests have one length. */
export async function equalSecrets(given: string, expected: string): Promise<boolean> {
  const [left, right] = await Promise.all([sha256(bytesOf(given)), sha256(bytesOf(expected))]);
  return equalSignatures(hexOf(left), hexOf(right));
}
