/**
 * Results of read queries: developers.cloudflare.com/hyperdrive/concepts/query-caching/. Not documented: in a transaction nothing is cached, and
 * the volatility of functions that PostgreSQL does not have is unknown, so their results are cached.
 */
import { BoundedMap } from "@tenantry/std/bounded-map";
import { type Message, readMessage } from "./messages.ts";

export interface CacheTimes {
  /** Milliseconds. */
  maxAge: number;
  staleWhileRevalidate: number;
}

const MAX_RESULTS = 1_000;
const MAX_BYTES = 50_000_000;

const READS = /^\s*(select|with|values|table)\b/i;
const CHANGES =
  /\b(insert|update|delete|merge|create|alter|drop|truncate|grant|revoke|into|for\s+(no\s+key\s+)?(key\s+)?share)\b/i;
/** Functions that PostgreSQL designates as volatile or stable. */
const UNSTABLE =
  /\b(random|setseed|clock_timestamp|timeofday|now|(transaction|statement|current|local)_?timestamp|(current|local)_?(date|time)|nextval|currval|lastval|setval|gen_random_uuid|uuidv[47]|txid_\w+|(current|session)_(user|role|catalog|schemas?|database|query|setting)|set_config|inet_\w+|version|pg_\w+)\b/i;

/** @returns a key of the messages between two `ReadyForQuery`; undefined when they are not one query whose result is cached */
export function cacheKey(unit: readonly Message[]): string | undefined {
  const [first] = unit;
  if (first === undefined || unit.filter(({ kind }) => kind === first.kind).length > 1) return undefined;
  // A Parse begins with the name of the statement.
  const text = first.bytes.toString("utf8", 5);
  const sql = first.kind === "Q" ? text.split("\0")[0] : first.kind === "P" ? text.split("\0")[1] : undefined;
  if (sql === undefined || !READS.test(sql) || CHANGES.test(sql) || UNSTABLE.test(sql)) return undefined;
  return Buffer.concat(unit.map(({ bytes }) => bytes)).toString("latin1");
}

export class QueryCache {
  readonly #times: CacheTimes;
  readonly #now: () => number;
  readonly #results = new BoundedMap<string, { at: number; response: Buffer }>(MAX_RESULTS);

  /** @param now in milliseconds since the epoch */
  constructor(times: CacheTimes, now: () => number) {
    this.#times = times;
    this.#now = now;
  }

  read(key: string): { response: Buffer; isStale: boolean } | undefined {
    const found = this.#results.get(key);
    if (found === undefined) return undefined;
    const age = this.#now() - found.at;
    const { maxAge, staleWhileRevalidate } = this.#times;
    if (age >= maxAge + staleWhileRevalidate) return undefined;
    return { response: found.response, isStale: age >= maxAge };
  }

  /** Stores a complete response, unless it is an error or too large. */
  write(key: string, response: Buffer): void {
    if (response.length > MAX_BYTES || hasError(response)) return;
    this.#results.set(key, { at: this.#now(), response });
  }
}

function hasError(response: Buffer): boolean {
  let rest = response;
  for (let message = readMessage(rest); message !== undefined; message = readMessage(rest)) {
    if (message.kind === "E") return true;
    rest = rest.subarray(message.bytes.length);
  }
  return false;
}
