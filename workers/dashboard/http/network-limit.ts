import { createMiddleware } from "hono/factory";
import { requestErrors } from "#domain/errors/api/requests.ts";
import { clientNetwork } from "#workers/shared/client-network.ts";
import { RateLimits } from "#workers/shared/rate-limits.ts";
import type { Types } from "../variables.ts";
import { type Failure, failure } from "./failure.tsx";

/** Limits requests without login by network, before any query. */
export function limitNetworks(ofOne: { burst: number; perSecond: number }, now: () => number = Date.now) {
  const limits = new RateLimits(ofOne);
  return createMiddleware<Types>(async (c, next) => {
    const wait = limits.take(clientNetwork(c.req.raw.headers), now());
    if (wait > 0) throw tooOften(wait);
    await next();
  });
}

/** @param wait seconds until the next permitted request */
export function tooOften(wait: number): Failure {
  const headers = { "retry-after": String(Math.ceil(wait)), "cache-control": "no-store" };
  return failure(requestErrors.too_many_requests, {}, { headers });
}
