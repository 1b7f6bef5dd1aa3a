/**
 * Keeps traffic from a gateway that is not ready. Isolates take a gateway that they were told is ready to be so for a while, and may
 * be many; the sandbox, through which every request passes, turns away what they send once somebody has seen otherwise.
 */
import { log } from "#workers/shared/log.ts";
import type { SandboxPort } from "../../sandbox/port.ts";

/** How long the sandbox may take to be told, in milliseconds. One that cannot be told passes nothing on either. */
const TELL_TIMEOUT_MS = 3_000;

export class TrafficGate {
  readonly #sandbox: SandboxPort;
  /** What the sandbox knows, as far as this object does. */
  #told: boolean | undefined;
  #passes = false;
  /** Only a gateway seen ready after this, in milliseconds since the epoch, gets traffic. */
  #shutAt = Number.NEGATIVE_INFINITY;
  #telling: Promise<void> = Promise.resolve();

  constructor(sandbox: SandboxPort) {
    this.#sandbox = sandbox;
  }

  /** Turns traffic away, until the gateway is seen ready in a look that began later than `at`. Does not reject. */
  shut(at: Date = new Date()): Promise<void> {
    this.#shutAt = Math.max(this.#shutAt, at.getTime());
    return this.#tell(false);
  }

  /** Acts on what was seen. Does not reject. @param at when the look began */
  async seen(at: Date, ready: boolean): Promise<void> {
    if (!ready) await this.shut(at);
    else if (at.getTime() > this.#shutAt) await this.#tell(true);
  }

  /**
   * Lets traffic pass that is about to be sent, and tells the sandbox so again, which may have forgotten.
   *
   * @param at when the look began that saw the gateway ready
   * @returns whether it passes: the gateway may have been seen otherwise since
   */
  async admit(at: Date): Promise<boolean> {
    this.#told = undefined;
    await this.seen(at, true);
    return this.#told === true;
  }

  #tell(passes: boolean): Promise<void> {
    this.#passes = passes;
    // One after the other, and always what is true by then.
    this.#telling = this.#telling.then(async () => {
      const wanted = this.#passes;
      if (this.#told === wanted) return;
      try {
        await this.#sandbox.setTraffic(wanted, AbortSignal.timeout(TELL_TIMEOUT_MS));
        this.#told = wanted;
      } catch (error) {
        this.#told = undefined;
        log("error", "traffic-gate.not-told", { message: String(error) });
      }
    });
    return this.#telling;
  }
}
