import { clientNetwork } from "#workers/shared/client-network.ts";
import { RateLimits } from "#workers/shared/rate-limits.ts";

const LIMIT = { burst: 100, perSecond: 1 };

/** Limits the lookups of names that do not exist, per network of the client. */
export class UnknownLimit {
  readonly #limits = new RateLimits(LIMIT);
  readonly #tooMany: (retryAfter: number) => Error;

  /** @param tooMany returns what to throw beyond the limit, with the seconds to wait */
  constructor(tooMany: (retryAfter: number) => Error) {
    this.#tooMany = tooMany;
  }

  /** @param lookup.isUnknown whether this isolate neither knows the name nor is looking it up */
  async find<T>(
    headers: Headers,
    lookup: { isUnknown: boolean; find: () => Promise<T>; exists: (found: T) => boolean },
  ): Promise<T> {
    const network = lookup.isUnknown ? clientNetwork(headers) : undefined;
    const wait = network === undefined ? 0 : this.#limits.take(network, Date.now());
    if (wait > 0) throw this.#tooMany(wait);
    const found = await lookup.find();
    if (network !== undefined && lookup.exists(found)) this.#limits.giveBack(network);
    return found;
  }
}
