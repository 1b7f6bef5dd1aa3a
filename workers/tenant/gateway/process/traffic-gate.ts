/**
 * Keeps traffic from a gateway that is not ready. Isolates may assume for a while that a gateway is ready, but every request passes through
 * the sandbox, which rejects traffic once a health check finds the gateway not ready.
 */
import { log } from "#workers/shared/log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";
import type { LastCut } from "../last-cut.ts";

/** Time limit for the change of the sandbox's setting, in milliseconds. An unreachable sandbox passes no traffic either. */
const SET_TIMEOUT_MS = 3_000;

export class TrafficGate {
  readonly #sandbox: Pick<SandboxPort, "setTraffic">;
  readonly #lastCut: Pick<LastCut, "at">;
  /** The sandbox's setting; `undefined` while it is unknown. */
  #applied: boolean | undefined;
  #passes = false;
  /** Only a later observation of a ready gateway opens the gate. In milliseconds since the epoch. */
  #closedAt = Number.NEGATIVE_INFINITY;
  #applying: Promise<void> = Promise.resolve();

  constructor(sandbox: Pick<SandboxPort, "setTraffic">, lastCut: Pick<LastCut, "at">) {
    this.#sandbox = sandbox;
    this.#lastCut = lastCut;
  }

  /** Rejects traffic until an observation that began after `at` finds the gateway ready. Does not reject. */
  close(at: Date = new Date()): Promise<void> {
    this.#closedAt = Math.max(this.#closedAt, at.getTime());
    return this.#apply(false);
  }

  /** Opens or closes the gate. Does not reject. @param at when the observation began */
  async update(at: Date, isReady: boolean): Promise<void> {
    if (!isReady) await this.close(at);
    else if (at.getTime() > this.#closedAt) await this.#apply(true);
  }

  /**
   * Opens the gate before traffic is sent. Sets it again, since the sandbox may have lost its setting.
   *
   * @param at when the observation of a ready gateway began
   * @returns false when a later observation found the gateway not ready
   */
  async admit(at: Date): Promise<boolean> {
    this.#applied = undefined;
    await this.update(at, true);
    return this.#applied === true;
  }

  #apply(passes: boolean): Promise<void> {
    this.#passes = passes;
    // One call at a time, each with the latest value.
    this.#applying = this.#applying.then(async () => {
      const wanted = this.#passes;
      if (this.#applied === wanted) return;
      try {
        const cutAt = await this.#lastCut.at();
        await this.#sandbox.setTraffic(wanted, cutAt, AbortSignal.timeout(SET_TIMEOUT_MS));
        this.#applied = wanted;
      } catch (error) {
        this.#applied = undefined;
        log("error", "traffic-gate.not-notified", { message: String(error) });
      }
    });
    return this.#applying;
  }
}
