/** Bounds calls that need no login: an activating health call may start a container, which costs money. */
import { BoundedMap } from "../access/bounded-map.ts";
import { TokenBucket } from "../access/token-bucket.ts";

/** Calls of one address to one tenant: a burst, then so many a second. */
const ADDRESS = { burst: 120, perSecond: 2 };
/** Calls of all addresses to one tenant. */
const TENANT = { burst: 600, perSecond: 10 };
const MAX_BUCKETS = 5_000;

export class HealthLimit {
  readonly #addresses = new BoundedMap<string, TokenBucket>(MAX_BUCKETS);
  readonly #tenants = new BoundedMap<string, TokenBucket>(MAX_BUCKETS);
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns 0 when the call may pass, else the seconds to wait */
  take(slug: string, address: string): number {
    const now = this.#now();
    const wait = bucket(this.#addresses, `${slug} ${network(address)}`, ADDRESS, now).take(now);
    return wait > 0 ? wait : bucket(this.#tenants, slug, TENANT, now).take(now);
  }
}

/** What counts as one caller: an IPv4 address, or the IPv6 network of 64 bits that one machine has to itself. */
function network(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [before = [], after = []] = address.split("::").map((half) => (half === "" ? [] : half.split(":")));
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0");
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}

function bucket(
  buckets: BoundedMap<string, TokenBucket>,
  key: string,
  limit: { burst: number; perSecond: number },
  now: number,
): TokenBucket {
  let found = buckets.get(key);
  if (!found) {
    found = new TokenBucket(limit.burst, limit.perSecond, now);
    buckets.set(key, found);
  }
  return found;
}
