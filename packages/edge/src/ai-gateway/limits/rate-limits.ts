import type { GatewaySettings } from "../../cloudflare/kinds/ai-gateways/settings.ts";
import { windowOf } from "./windows.ts";

export class RateLimits {
  /** Times of accepted requests by gateway, in milliseconds, oldest first. */
  readonly #accepted = new Map<string, number[]>();

  take(gateway: string, settings: GatewaySettings, now: number): boolean {
    const { rate_limiting_interval: interval, rate_limiting_limit: limit } = settings;
    if (!interval || !limit) {
      this.#accepted.delete(gateway);
      return true;
    }
    const isCounted =
      settings.rate_limiting_technique === "sliding"
        ? (time: number) => time > now - interval * 1000
        : (time: number) => windowOf(time, interval) === windowOf(now, interval);
    const accepted = (this.#accepted.get(gateway) ?? []).filter(isCounted);
    const isAccepted = accepted.length < limit;
    if (isAccepted) accepted.push(now);
    this.#accepted.set(gateway, accepted);
    return isAccepted;
  }

  forget(gateway: string): void {
    this.#accepted.delete(gateway);
  }
}
