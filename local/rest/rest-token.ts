/** The JWT of a REST call: HS256, by `Authorization: Bearer` or, where that header is not another key's, by `apikey` alone. */
import { errors, type JWTPayload, jwtVerify } from "jose";
import * as z from "zod";
import { RestError } from "./rest-error.ts";

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
  secret: Uint8Array,
  o: { byApiKey: boolean },
): Promise<{ role: string; claims: JWTPayload }> {
  const token = bearer(headers.get("authorization")) ?? (o.byApiKey ? headers.get("apikey") : null);
  if (token === null || token === "") throw anonymous();
  const claims = await verify(token, secret);
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

async function verify(token: string, secret: Uint8Array): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, secret, { algorithms: ["HS256"], clockTolerance: CLOCK_TOLERANCE_S })).payload;
  } catch (cause) {
    if (cause instanceof errors.JWTExpired) throw new RestError(401, "PGRST303", "JWT expired");
    if (cause instanceof errors.JWTClaimValidationFailed) {
      throw new RestError(401, "PGRST303", cause.claim === "nbf" ? "JWT not yet valid" : "Parsing claims failed");
    }
    if (cause instanceof errors.JWSSignatureVerificationFailed) {
      throw new RestError(401, "PGRST301", "No suitable key or wrong key type");
    }
    throw new RestError(401, "PGRST301", "JWT cryptographic operation failed");
  }
}
