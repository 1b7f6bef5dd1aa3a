import {
  base64url,
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  type JWK,
  type JWTPayload,
  jwtVerify,
} from "jose";
import type { Refusal, VerifyOptions, WebhookRequest } from "../verdict.ts";
import { bearerToken } from "./tokens.ts";

const MAX_LENGTH = 8_192;
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/** Microsoft documents five minutes; Google's libraries allow five (google-auth-library: `CLOCK_SKEW_SECS_`). */
const CLOCK_SKEW_SECONDS = 300;

/** Imported keys, for callers that cache a key set. */
const finders = new WeakMap<JSONWebKeySet, ReturnType<typeof createLocalJWKSet>>();

function finderOf(keys: JSONWebKeySet) {
  const known = finders.get(keys);
  if (known) return known;
  const finder = createLocalJWKSet(keys);
  finders.set(keys, finder);
  return finder;
}

/** A signature has several base64url encodings; one is valid. */
function isCanonical(token: string): boolean {
  const signature = token.slice(token.lastIndexOf(".") + 1);
  return base64url.encode(base64url.decode(signature)) === signature;
}

function keyIdOf(token: string): string | undefined {
  try {
    return isCanonical(token) ? decodeProtectedHeader(token).kid : undefined;
  } catch {
    return undefined;
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof errors.JWTExpired) return "timestamp";
  return error instanceof errors.JWTClaimValidationFailed && error.claim === "nbf" ? "timestamp" : "signature_wrong";
}

export interface Issuer {
  /** Address of its keys. */
  keys: string;
  names: string[];
}

/** Verifies the bearer token of the request. @throws the error of `options.keys` */
export async function verifiedToken(
  request: WebhookRequest,
  { issuer, audience }: { issuer: Issuer; audience: string },
  options: VerifyOptions,
): Promise<{ claims: JWTPayload; key: JWK | undefined } | Refusal> {
  if (!request.headers.get("authorization")) return "signature_missing";
  const token = bearerToken(request);
  if (token === undefined || token.length > MAX_LENGTH || !TOKEN.test(token)) return "signature_wrong";
  const kid = keyIdOf(token);
  if (kid === undefined) return "signature_wrong";
  const keys = await options.keys(issuer.keys, kid);
  try {
    const { payload } = await jwtVerify(token, finderOf(keys), {
      algorithms: ["RS256"],
      issuer: issuer.names,
      audience,
      requiredClaims: ["exp", "iss", "aud"],
      clockTolerance: CLOCK_SKEW_SECONDS,
      currentDate: new Date(options.now),
    });
    return { claims: payload, key: keys.keys.find((key) => key.kid === kid) };
  } catch (error) {
    return refusalOf(error);
  }
}
