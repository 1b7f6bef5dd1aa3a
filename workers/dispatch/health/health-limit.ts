/** Bounds calls of the health interface: an activating one may start a container, which costs money. */

import type { Caller } from "#workers/contracts/platform-headers.ts";
import { RateLimits } from "#workers/shared/rate-limits.ts";

/** Calls of one caller to one tenant. */
const ONE = { burst: 120, perSecond: 2 };
/** Calls to one tenant of all callers of a kind. */
const ALL = { burst: 600, perSecond: 10 };

/** Who calls, and under what name calls of the same one are counted. */
export interface HealthCaller {
  caller: Caller;
  name: string;
}

interface Budget {
  one: RateLimits;
  all: RateLimits;
}

const budget = (one: typeof ONE): Budget => ({ one: new RateLimits(one), all: new RateLimits(ALL) });

export class HealthLimit {
  /** Strangers, users and the platform each have their own, so that none takes another's. */
  readonly #budgets: Record<Caller, Budget> = {
    anonymous: budget(ONE),
    user: budget(ONE),
    platform: budget(ALL),
  };
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns 0 when the call may pass, else the seconds to wait */
  take(slug: string, { caller, name }: HealthCaller): number {
    const now = this.#now();
    const { one, all } = this.#budgets[caller];
    const wait = one.take(`${slug} ${name}`, now);
    return wait > 0 ? wait : all.take(slug, now);
  }
}
