import { type Limit, NOT_DOCUMENTED, PAGES } from "../limit.ts";
import { KV_EXPIRATION_TTL } from "../values.ts";

const page = PAGES.kv;
/** Statuses and texts of bindings: cloudflare/workers-sdk, packages/miniflare/src/workers/kv/validator.worker.ts. The codes are the edge's. */
const MINIFLARE =
  "https://github.com/cloudflare/workers-sdk/blob/main/packages/miniflare/src/workers/kv/validator.worker.ts";

export const kv = {
  kvNamespaces: {
    of: "KV namespaces of an account",
    value: 1_000,
    page,
    beyond: { status: 400, code: 10019, text: "An account has at most {limit} namespaces" },
  },
  kvKey: {
    of: "KV key",
    value: 512,
    unit: "bytes",
    page,
    beyond: { status: 414, code: 10012, text: "The key exceeds the key length limit of {limit}.", source: MINIFLARE },
  },
  kvValue: {
    of: "KV value",
    value: 25 * 1_024 * 1_024,
    unit: "bytes",
    page,
    beyond: { status: 413, code: 10012, text: "The value exceeds the limit of {limit}.", source: MINIFLARE },
  },
  kvMetadata: {
    of: "Metadata of a KV key, as JSON",
    value: 1_024,
    unit: "bytes",
    page,
    beyond: { status: 413, code: 10012, text: "The metadata exceeds the limit of {limit}.", source: MINIFLARE },
  },
  kvExpirationTtl: {
    of: "Time until a KV key expires",
    value: KV_EXPIRATION_TTL,
    unit: "seconds",
    isMinimum: true,
    page: PAGES.kvWrite,
    beyond: {
      status: 400,
      code: 10034,
      text: "Expiration times must be at least {limit} seconds in the future.",
      source: MINIFLARE,
    },
  },
  kvCacheTtl: {
    of: "`cacheTtl` of a KV read",
    value: 30,
    unit: "seconds",
    isMinimum: true,
    page,
    beyond: "The read throws: `400 Invalid cache_ttl`.",
  },
  kvListPage: {
    of: "Keys of a page of a KV list",
    value: 1_000,
    page: PAGES.kvList,
    beyond: "A page has at most this number.",
  },
  kvBulkPairs: {
    of: "Pairs of a bulk write to KV by the API",
    value: 10_000,
    page: PAGES.kvWrite,
    beyond: { status: 400, code: 10012, text: "A bulk request has at most {limit} keys" },
  },
  kvBulkBytes: {
    of: "Body of a bulk write to KV by the API",
    value: 100_000_000,
    unit: "bytes",
    page: PAGES.kvWrite,
    beyond: { status: 413, code: 10012, text: "A bulk request has at most {limit} bytes" },
  },
  kvKeyWrites: {
    of: "Writes to one KV key per second, by a binding",
    value: 1,
    page: PAGES.kvWrite,
    beyond: "The write throws: `KV PUT failed: 429 Too Many Requests`.",
  },
  kvOperations: {
    of: "KV operations of an invocation",
    value: 1_000,
    page,
    beyond: NOT_DOCUMENTED,
  },
} as const satisfies Record<string, Limit>;
