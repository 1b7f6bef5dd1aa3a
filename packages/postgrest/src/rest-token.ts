import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import * as z from "zod";
import { RestError } from "./rest-error.ts";
import type { RestKey } from "./rest-keys.ts";

/** The tolerance of PostgREST. */
const CLOCK_TOLERANCE_S = 30;

const roleClaim = z.string().min(1).max(63);

/**
 * Verifies the HS256 token of a request. It is the bearer token or, when no API keys are required, the header `apikey`.
 *
 * @returns the claims and the database role that they name
 * @throws RestError 401: PGRST302 without a token or role, PGRST301 for an invalid token, PGRST303 for one that is expired or not yet valid
 */
export async function authenticateRestCaller(
  headers: Headers,
  keys: readonly RestKey[],
  options: { byApiKey: boolean },
): Promise<{ role: string; claims: JWTPayload }> {
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(headers.get("authorization") ?? "")?.[1];
  const token = bearer ?? (options.byApiKey ? headers.get("apikey") : null);
  if (token === null || token === "") throw anonymousAccessError();
  const claims = await verifyRestToken(token, keys);
  const role = roleClaim.safeParse(claims.role);
  if (!role.success) throw anonymousAccessError();
  return { role: role.data, claims };
}

const anonymousAccessError = () => new RestError(401, "PGRST302", "Anonymous access is disabled");

async function verifyRestToken(token: string, keys: readonly RestKey[]): Promise<JWTPayload> {
  const kid = keyIdOf(token);
  const candidates = kid === undefined ? keys : keys.filter((key) => key.kid === kid);
  let error = new RestError(401, "PGRST301", "No suitable key or wrong key type");
  for (const { secret } of candidates) {
    const result = await verifyBy(token, secret);
    if (!(result instanceof RestError)) return result;
    error = result;
    // The signature is valid.
    if (error.code === "PGRST303") break;
  }
  throw error;
}

function keyIdOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

async function verifyBy(token: string, secret: Uint8Array): Promise<JWTPayload | RestError> {
  try {
    return (await jwtVerify(token, secret, { algorithms: ["HS256"], clockTolerance: CLOCK_TOLERANCE_S })).payload;
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) return new RestError(401, "PGRST303", "JWT expired");
    if (cause instanceof errors.JWTClaimValidationFailed) {
      return new RestError(401, "PGRST303", cause.claim === "nbf" ? "JWT not yet valid" : "Parsing claims failed");
    }
    if (cause instanceof errors.JWSSignatureVerificationFailed) {
      return new RestError(401, "PGRST301", "No suitable key or wrong key type");
    }
    return new RestError(401, "PGRST301", "JWT cryptographic operation failed");
  }
}
