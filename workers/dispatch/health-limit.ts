/** Bounds calls of the health interface: an activating one may start a container, which costs money. */
import { TokenBuckets } from "../access/token-buckets.ts";
import { type Caller, callers } from "../contracts/platform-headers.ts";

/** Calls of one caller to one tenant. */
const ONE = { burst: 120, perSecond: 2 };
/** Calls to one tenant of all callers of a kind. */
const ALL = { burst: 600, perSecond: 10 };

/** Who calls, and under what name calls of the same one are counted. */
export interface HealthCaller {
  caller: Caller;
  name: string;
}

export class HealthLimit {
  /** Strangers, users and the platform each have their own, so that none takes another's. */
  readonly #budgets = new Map<Caller, { one: TokenBuckets; all: TokenBuckets }>(
    callers.map((caller) => [
      caller,
      { one: new TokenBuckets(caller === "platform" ? ALL : ONE), all: new TokenBuckets(ALL) },
    ]),
  );
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns 0 when the call may pass, else the seconds to wait */
  take(slug: string, { caller, name }: HealthCaller): number {
    const now = this.#now();
    const budget = this.#budgets.get(caller);
    if (budget === undefined) return 0;
    const wait = budget.one.take(`${slug} ${name}`, now);
    return wait > 0 ? wait : budget.all.take(slug, now);
  }
}
