import * as z from "zod";

/** The minimum of PostgREST. */
const MIN_SECRET_BYTES = 32;

export interface RestKey {
  /** A token with a `kid` is verified by this key alone, a token without one by each key. */
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

/**
 * Parses PostgREST's setting `jwt-secret`: a secret, or a JWK Set of symmetric keys to rotate them.
 *
 * @throws Error for a secret that is too short or a set that is invalid
 */
export function readRestKeys(jwtSecret: string): RestKey[] {
  const isSet = jwtSecret.trimStart().startsWith("{");
  const keys = isSet ? parseKeySet(jwtSecret) : [{ kid: undefined, secret: new TextEncoder().encode(jwtSecret) }];
  if (keys.some(({ secret }) => secret.length < MIN_SECRET_BYTES)) {
    throw new Error(`The JWT secret must be at least ${MIN_SECRET_BYTES} characters long.`);
  }
  return keys;
}

function parseKeySet(text: string): RestKey[] {
  try {
    const { keys } = keySet.parse(JSON.parse(text));
    return keys.map(({ k, kid }) => ({ kid, secret: Buffer.from(k, "base64url") }));
  } catch {
    throw new Error('The JWT secret is not a JWK Set of keys { "kty": "oct", "k": "…", "kid": "…" }.');
  }
}
