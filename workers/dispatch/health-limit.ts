/** Bounds calls that need no login: an activating health call may start a container, which costs money. */
import { TokenBuckets } from "../access/token-buckets.ts";
import { networkOf } from "./client-network.ts";

export class HealthLimit {
  /** Calls of one address to one tenant. */
  readonly #addresses = new TokenBuckets({ burst: 120, perSecond: 2 });
  /** Calls of all addresses to one tenant. */
  readonly #tenants = new TokenBuckets({ burst: 600, perSecond: 10 });
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns 0 when the call may pass, else the seconds to wait */
  take(slug: string, address: string): number {
    const now = this.#now();
    const wait = this.#addresses.take(`${slug} ${networkOf(address)}`, now);
    return wait > 0 ? wait : this.#tenants.take(slug, now);
  }
}
