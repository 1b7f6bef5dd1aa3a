/** How many requests a gateway takes in its interval. Counted in memory: an edge that starts anew counts from none. */
import type { GatewaySettings } from "../../cloudflare/kinds/ai-gateways/settings.ts";
import { windowOf } from "./windows.ts";

export class RateLimits {
  /** Times of the requests that were let pass, in milliseconds, oldest first; of a gateway at most its limit. */
  readonly #passed = new Map<string, number[]>();

  /** Counts a request. @returns whether it may pass */
  take(
    gateway: string,
    {
      rate_limiting_interval: interval,
      rate_limiting_limit: limit,
      rate_limiting_technique: technique,
    }: GatewaySettings,
    now: number,
  ): boolean {
    if (!interval || !limit) {
      this.#passed.delete(gateway);
      return true;
    }
    const counts =
      technique === "sliding"
        ? (time: number) => time > now - interval * 1000
        : (time: number) => windowOf(time, interval) === windowOf(now, interval);
    const passed = (this.#passed.get(gateway) ?? []).filter(counts);
    const passes = passed.length < limit;
    if (passes) passed.push(now);
    this.#passed.set(gateway, passed);
    return passes;
  }

  forget(gateway: string): void {
    this.#passed.delete(gateway);
  }
}
