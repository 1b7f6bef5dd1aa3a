import { createHash } from "node:crypto";
import type { EdgeLimits } from "./edge-limits.ts";

interface Window {
  /** Milliseconds since the epoch. */
  end: number;
  count: number;
}

/** Most tokens of which requests are counted. */
const MAX_TOKENS = 1_000;

/**
 * Counts API requests by token, in windows that begin with a request. A window that exceeds the limit is prolonged, so that requests are
 * refused for as long as Cloudflare documents.
 */
export class RequestRate {
  readonly #limits: EdgeLimits;
  readonly #now: () => number;
  readonly #windows = new Map<string, Window>();

  /** @param now milliseconds since the epoch */
  constructor(limits: EdgeLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Counts a request. @returns the headers of its response, and whether to refuse it */
  count(token: string): { headers: Record<string, string>; isRefused: boolean } {
    const now = this.#now();
    const quota = this.#limits.valueOf("apiRequests");
    const seconds = this.#limits.valueOf("apiRequestsBlock");
    const window = this.#windowOf(createHash("sha256").update(token).digest("base64"), now, seconds);
    window.count += 1;
    if (window.count === quota + 1) window.end = now + seconds * 1_000;
    const left = Math.ceil((window.end - now) / 1_000);
    const isRefused = window.count > quota;
    const headers = {
      ratelimit: `"default";r=${Math.max(0, quota - window.count)};t=${left}`,
      "ratelimit-policy": `"default";q=${quota};w=${seconds}`,
      ...(isRefused && { "retry-after": String(left) }),
    };
    return { headers, isRefused };
  }

  #windowOf(token: string, now: number, seconds: number): Window {
    const found = this.#windows.get(token);
    if (found !== undefined && found.end > now) return found;
    const opened = { end: now + seconds * 1_000, count: 0 };
    this.#windows.delete(token);
    this.#windows.set(token, opened);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > MAX_TOKENS && oldest !== undefined) this.#windows.delete(oldest);
    return opened;
  }
}
