/** The keys of tokens, as PostgREST's setting `jwt-secret` has them: one secret, or a JWK Set, by which a key is rotated. */
import * as z from "zod";

/** PostgREST refuses a shorter secret too. */
const MIN_SECRET_BYTES = 32;

export interface RestKey {
  /** Tokens that name a key are verified by that one alone; others by each. */
  kid: string | undefined;
  secret: Uint8Array;
}

const keySet = z.object({
  keys: z
    .array(
      z.object({
        kty: z.literal("oct"),
        k: z.base64url(),
        kid: z.string().optional(),
        alg: z.literal("HS256").optional(),
      }),
    )
    .min(1),
});

/** @throws Error for a secret that is too short, or a set of other keys than symmetric ones */
export function readRestKeys(jwtSecret: string): RestKey[] {
  const keys = jwtSecret.trimStart().startsWith("{") ? setOf(jwtSecret) : [literal(jwtSecret)];
  if (keys.some(({ secret }) => secret.length < MIN_SECRET_BYTES)) {
    throw new Error(`The JWT secret must be at least ${MIN_SECRET_BYTES} characters long.`);
  }
  return keys;
}

const literal = (text: string): RestKey => ({ kid: undefined, secret: new TextEncoder().encode(text) });

function setOf(text: string): RestKey[] {
  const { data } = keySet.safeParse(parsed(text));
  if (data === undefined)
    throw new Error('The JWT secret is no JWK Set of keys { "kty": "oct", "k": "…", "kid": "…" }.');
  return data.keys.map(({ k, kid }) => ({ kid, secret: Buffer.from(k, "base64url") }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
