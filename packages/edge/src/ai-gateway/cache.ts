/** Answers that are given again to identical requests (features/caching). In memory: the vendor's cache is volatile too. */
import { createHash } from "node:crypto";
import type { Usage } from "./usage.ts";

export interface CachedAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  usage: Usage;
}

/** What makes two requests the same: all that decides about the answer, and who pays the provider for it. */
export interface CacheKey {
  gateway: string;
  provider: string;
  endpoint: string;
  /** Of the provider's key, so that nobody gets what another's key was answered. */
  authorization: string | null;
  body: Uint8Array;
  /** Given by the client in place of all the rest (`cf-aig-cache-key`). */
  own: string | null;
}

const MOST_ENTRIES = 500;
/** Characters of all answers together. */
const MOST_CHARACTERS = 32_000_000;

export class Cache {
  /** Oldest first. */
  readonly #entries = new Map<string, { gateway: string; until: number; answer: CachedAnswer }>();
  #characters = 0;

  get(key: CacheKey, now: number): CachedAnswer | undefined {
    const entry = this.#entries.get(digestOf(key));
    return entry !== undefined && entry.until > now ? entry.answer : undefined;
  }

  /** @param seconds for which the answer holds */
  put(key: CacheKey, answer: CachedAnswer, seconds: number, now: number): void {
    if (answer.body.length > MOST_CHARACTERS / 10) return;
    const digest = digestOf(key);
    this.#remove(digest);
    this.#entries.set(digest, { gateway: key.gateway, until: now + seconds * 1000, answer });
    this.#characters += answer.body.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MOST_ENTRIES && this.#characters <= MOST_CHARACTERS) break;
      this.#remove(oldest);
    }
  }

  /** Forgets what a gateway was answered. */
  forget(gateway: string): void {
    for (const [digest, entry] of [...this.#entries]) if (entry.gateway === gateway) this.#remove(digest);
  }

  #remove(digest: string): void {
    this.#characters -= this.#entries.get(digest)?.answer.body.length ?? 0;
    this.#entries.delete(digest);
  }
}

function digestOf({ gateway, provider, endpoint, authorization, body, own }: CacheKey): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify(own === null ? [gateway, provider, endpoint, authorization] : [gateway, own]));
  if (own === null) hash.update(body);
  return hash.digest("hex");
}
