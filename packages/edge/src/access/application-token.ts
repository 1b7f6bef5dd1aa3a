/** Cloudflare: "Application token". */
import { createHash, type KeyObject, randomBytes } from "node:crypto";
import { BoundedMap } from "@tenantry/std/bounded-map";
import { jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import type { SigningKeys } from "./signing-keys.ts";

const DEFAULT_SESSION_S = 24 * 3600;
const UNIT_S: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3600 };

const claims = z.object({
  email: z.string(),
  type: z.literal("app"),
  sub: z.string(),
  iat: z.number(),
  exp: z.number(),
});
export type Claims = z.infer<typeof claims>;

/** Signs the token of a user, by e-mail address, or of a service token, by client id. @param seconds lifetime */
export function signToken(
  keys: SigningKeys,
  issuer: string,
  audience: string,
  caller: string | { clientId: string },
  seconds: number,
): Promise<string> {
  const { kid, key } = keys.current();
  const now = Math.floor(Date.now() / 1000);
  const token = typeof caller === "string" ? userToken(issuer, caller, now) : serviceToken(caller);
  return token
    .setProtectedHeader({ alg: "RS256", kid, typ: "JWT" })
    .setAudience([audience])
    .setIssuer(issuer)
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .sign(key);
}

const userToken = (issuer: string, email: string, now: number): SignJWT =>
  new SignJWT({
    email,
    type: "app",
    identity_nonce: randomBytes(12).toString("base64url"),
    // Cloudflare's code for an unknown country.
    country: "XX",
  })
    .setSubject(userId(issuer, email))
    .setNotBefore(now);

/** Cloudflare: "Service token authentication". */
const serviceToken = ({ clientId }: { clientId: string }): SignJWT =>
  new SignJWT({ type: "app", common_name: clientId }).setSubject("");

const MAX_VERIFIED = 2_000;
/** Verified tokens by key. */
const verified = new WeakMap<
  SigningKeys,
  BoundedMap<string, { claims: Claims; kid: string | undefined; key: KeyObject }>
>();

/** Returns the claims of a valid token of this issuer for `audience`. */
export async function verifyToken(
  keys: SigningKeys,
  issuer: string,
  audience: string,
  token: string,
): Promise<Claims | undefined> {
  const known = verified.get(keys) ?? new BoundedMap(MAX_VERIFIED);
  verified.set(keys, known);
  const name = `${issuer} ${audience} ${token}`;
  const before = known.get(name);
  if (before && before.claims.exp * 1000 > Date.now() && keys.find(before.kid) === before.key) return before.claims;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => publicKey(keys, kid), {
      algorithms: ["RS256"],
      issuer,
      audience,
    });
    const parsed = claims.parse(payload);
    known.set(name, { claims: parsed, kid: protectedHeader.kid, key: publicKey(keys, protectedHeader.kid) });
    return parsed;
  } catch {
    return undefined;
  }
}

function publicKey(keys: SigningKeys, kid: string | undefined): KeyObject {
  const found = keys.find(kid);
  if (found === undefined) throw new Error("unknown key");
  return found;
}

/** Parses a session duration such as `24h` or `1h30m` (Go: `time.ParseDuration`) to at least one second. Default: 24 hours. */
export function sessionSeconds(duration: string | undefined): number {
  const text = duration ?? "";
  if (!/^(\d+(\.\d+)?(ns|us|ms|s|m|h))+$/.test(text)) return DEFAULT_SESSION_S;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|ms|s|m|h)/g)];
  return Math.max(
    1,
    Math.floor(parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_S[unit ?? ""] ?? 0), 0)),
  );
}

/** Returns a stable id for an email address. */
function userId(issuer: string, email: string): string {
  const hex = createHash("sha256").update(`${issuer}\n${email}`).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
