/** Limits requests to the health paths, because one may start a container. */
import type { Caller } from "#workers/contracts/platform-headers.ts";
import { RateLimits } from "#workers/shared/rate-limits.ts";

/** Per caller and tenant. */
const ONE = { burst: 120, perSecond: 2 };
/** Per kind of caller and tenant. */
const ALL = { burst: 600, perSecond: 10 };

export interface HealthCaller {
  caller: Caller;
  name: string;
}

const budget = (one: typeof ONE) => ({ one: new RateLimits(one), all: new RateLimits(ALL) });

export class HealthLimit {
  readonly #budgets: Record<Caller, ReturnType<typeof budget>> = {
    anonymous: budget(ONE),
    user: budget(ONE),
    platform: budget(ALL),
  };
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns 0 if allowed, else the seconds to wait */
  take(slug: string, { caller, name }: HealthCaller): number {
    const now = this.#now();
    const { one, all } = this.#budgets[caller];
    const wait = one.take(`${slug} ${name}`, now);
    return wait > 0 ? wait : all.take(slug, now);
  }
}
