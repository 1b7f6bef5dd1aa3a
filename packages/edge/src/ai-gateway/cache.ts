import { createHash } from "node:crypto";
import type { Usage } from "./usage.ts";

export interface CachedResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  usage: Usage;
}

/** Everything that determines the response, and the key that pays for it. */
export interface CacheKey {
  gateway: string;
  provider: string;
  endpoint: string;
  /** Key of the provider: a response is only for the key that requested it. */
  authorization: string | null;
  body: Uint8Array;
  /** Key of the client that replaces all others (`cf-aig-cache-key`). */
  own: string | null;
}

const MAX_ENTRIES = 500;
const MAX_CHARACTERS = 32_000_000;

/** Responses to identical requests (features/caching), in memory. */
export class Cache {
  /** Oldest first. */
  readonly #entries = new Map<string, { gateway: string; until: number; response: CachedResponse }>();
  #characters = 0;

  get(key: CacheKey, now: number): CachedResponse | undefined {
    const entry = this.#entries.get(digestOf(key));
    return entry !== undefined && entry.until > now ? entry.response : undefined;
  }

  /** @param seconds until it expires */
  put(key: CacheKey, response: CachedResponse, seconds: number, now: number): void {
    if (response.body.length > MAX_CHARACTERS / 10) return;
    const digest = digestOf(key);
    this.#remove(digest);
    this.#entries.set(digest, { gateway: key.gateway, until: now + seconds * 1000, response });
    this.#characters += response.body.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ENTRIES && this.#characters <= MAX_CHARACTERS) break;
      this.#remove(oldest);
    }
  }

  removeAll(gateway: string): void {
    for (const [digest, entry] of [...this.#entries]) if (entry.gateway === gateway) this.#remove(digest);
  }

  #remove(digest: string): void {
    this.#characters -= this.#entries.get(digest)?.response.body.length ?? 0;
    this.#entries.delete(digest);
  }
}

function digestOf({ gateway, provider, endpoint, authorization, body, own }: CacheKey): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify(own === null ? [gateway, provider, endpoint, authorization] : [gateway, own]));
  if (own === null) hash.update(body);
  return hash.digest("hex");
}
