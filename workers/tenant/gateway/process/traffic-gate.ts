/**
 * Keeps traffic from a gateway that is not ready. Many isolates may each assume for a while that a gateway is ready. Every request passes
 * through the sandbox, so the sandbox rejects traffic once a health check finds the gateway not ready.
 */
import { log } from "#workers/shared/log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";

/** How long the sandbox may take to change its setting, in milliseconds. A sandbox that cannot be reached passes no traffic either. */
const SET_TIMEOUT_MS = 3_000;

export class TrafficGate {
  readonly #sandbox: SandboxPort;
  /** The setting of the sandbox; `undefined` while it is not known. */
  #applied: boolean | undefined;
  #passes = false;
  /** Only a gateway that a later observation finds ready gets traffic. In milliseconds since the epoch. */
  #shutAt = Number.NEGATIVE_INFINITY;
  #applying: Promise<void> = Promise.resolve();

  constructor(sandbox: SandboxPort) {
    this.#sandbox = sandbox;
  }

  /** Rejects traffic until an observation that began after `at` finds the gateway ready. Does not reject. */
  shut(at: Date = new Date()): Promise<void> {
    this.#shutAt = Math.max(this.#shutAt, at.getTime());
    return this.#apply(false);
  }

  /** Acts on an observation. Does not reject. @param at when the observation began */
  async observed(at: Date, ready: boolean): Promise<void> {
    if (!ready) await this.shut(at);
    else if (at.getTime() > this.#shutAt) await this.#apply(true);
  }

  /**
   * Lets traffic pass that is about to be sent. Sets this again, since the sandbox may have lost its setting.
   *
   * @param at when the observation began that found the gateway ready
   * @returns whether traffic passes: a later observation may have found the gateway not ready
   */
  async admit(at: Date): Promise<boolean> {
    this.#applied = undefined;
    await this.observed(at, true);
    return this.#applied === true;
  }

  #apply(passes: boolean): Promise<void> {
    this.#passes = passes;
    // One call at a time, each with the latest value.
    this.#applying = this.#applying.then(async () => {
      const wanted = this.#passes;
      if (this.#applied === wanted) return;
      try {
        await this.#sandbox.setTraffic(wanted, AbortSignal.timeout(SET_TIMEOUT_MS));
        this.#applied = wanted;
      } catch (error) {
        this.#applied = undefined;
        log("error", "traffic-gate.not-told", { message: String(error) });
      }
    });
    return this.#applying;
  }
}
