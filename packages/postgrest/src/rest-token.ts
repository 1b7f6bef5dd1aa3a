/** The JWT of a REST call: HS256, by `Authorization: Bearer` or, where that header is not another key's, by `apikey` alone. */
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import * as z from "zod";
import { RestError } from "./rest-error.ts";
import type { RestKey } from "./rest-keys.ts";

/** PostgREST's tolerance for clocks that differ, in seconds. */
const CLOCK_TOLERANCE_S = 30;

const roleClaim = z.string().min(1).max(63);

/**
 * The claims of a request's token and the database role they name.
 *
 * @param o.byApiKey whether the token may stand in `apikey` instead
 * @throws RestError 401: PGRST302 without a token or a role, PGRST301 for one that is not ours, PGRST303 for one out of its time
 */
export async function authenticate(
  headers: Headers,
  keys: readonly RestKey[],
  o: { byApiKey: boolean },
): Promise<{ role: string; claims: JWTPayload }> {
  const token = bearer(headers.get("authorization")) ?? (o.byApiKey ? headers.get("apikey") : null);
  if (token === null || token === "") throw anonymous();
  const claims = await verify(token, keys);
  const role = roleClaim.safeParse(claims.role);
  if (!role.success) throw anonymous();
  return { role: role.data, claims };
}

function bearer(header: string | null): string | undefined {
  return header === null ? undefined : /^bearer\s+(\S+)\s*$/i.exec(header)?.[1];
}

function anonymous(): RestError {
  return new RestError(401, "PGRST302", "Anonymous access is disabled");
}

/** Tries each key that the token may be signed by. */
async function verify(token: string, keys: readonly RestKey[]): Promise<JWTPayload> {
  const kid = keyIdOf(token);
  const candidates = kid === undefined ? keys : keys.filter((key) => key.kid === kid);
  let fault = new RestError(401, "PGRST301", "No suitable key or wrong key type");
  for (const { secret } of candidates) {
    const result = await verifyBy(token, secret);
    if (!(result instanceof RestError)) return result;
    fault = result;
    // The signature was right.
    if (fault.code === "PGRST303") break;
  }
  throw fault;
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
