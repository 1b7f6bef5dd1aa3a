/** Lets users of the dashboard in, by the Access token of its own application. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { KeysUnavailable } from "../shared/access/key-set.ts";
import { TokenVerifier } from "../shared/access/token-verifier.ts";
import { accessTokens } from "../shared/access/tokens.ts";
import { findCaller } from "./dashboard-users.ts";
import type { Env, Settings } from "./env.ts";
import { Failure } from "./failure.tsx";
import type { Variables } from "./variables.ts";

/** Sets `caller`, or fails with 401 or 403. */
export function requireCaller(settings: Settings) {
  const verifier = new TokenVerifier(settings.ACCESS_ISSUER);
  return createMiddleware<{ Bindings: Env; Variables: Variables }>(async (c, next) => {
    const email = await readEmail(c, verifier, settings.ACCESS_AUD);
    const caller = await findCaller(c.get("db"), settings.ENVIRONMENT, email);
    if (!caller)
      throw new Failure("access_denied", "You are no user of this dashboard; ask a platform root to add you.");
    c.set("caller", caller);
    await next();
  });
}

async function readEmail(c: Context, verifier: TokenVerifier, audience: string): Promise<string> {
  const tokens = accessTokens(c.req.raw.headers);
  if (tokens.length === 0) throw new Failure("authentication_required", "Log in to use the dashboard.");
  let expired = false;
  for (const token of tokens) {
    const identity = await verifier
      .verify(token, (work) => c.executionCtx.waitUntil(work))
      .catch((error: unknown) => {
        if (!(error instanceof KeysUnavailable)) throw error;
        throw new Failure("tenant_unavailable", "Log-ins cannot be checked just now; try again in a moment.");
      });
    if (identity === "expired") expired = true;
    else if (identity !== "invalid" && identity.audiences.includes(audience)) return identity.email;
  }
  if (expired) throw new Failure("authentication_required", "Your session is over; log in again.");
  throw new Failure("access_denied", "Your log-in is not for the dashboard; log in at its own address.");
}
