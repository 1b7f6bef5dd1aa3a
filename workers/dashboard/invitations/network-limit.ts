import { createMiddleware } from "hono/factory";
import { clientNetwork } from "../../shared/client-network.ts";
import { RateLimits } from "../../shared/rate-limits.ts";
import { Failure } from "../http/failure.tsx";
import type { Types } from "../variables.ts";

/** Calls of one network, whatever their tokens are, so that a refusal tells nothing of any. */
const ONE_NETWORK = { burst: 30, perSecond: 0.2 };

/** Bounds how many tokens a network tries, before anything is asked of the database. */
export function limitNetworks(now: () => number = Date.now) {
  const limits = new RateLimits(ONE_NETWORK);
  return createMiddleware<Types>(async (c, next) => {
    const wait = limits.take(clientNetwork(c.req.raw.headers), now());
    if (wait > 0) {
      throw new Failure("limit_exceeded", "That was often; try again in a moment.", undefined, {
        "retry-after": String(Math.ceil(wait)),
        "cache-control": "no-store",
      });
    }
    await next();
  });
}
