/** Tells when a sandbox has been idle for long enough: neither traffic nor an activating call. */
import type { SandboxActivity } from "#workers/contracts/tenant/sandbox.ts";

const KEY = "last-activating-call";
/** An activating call is written down at most this often, in milliseconds. */
const LONGEST_GRAIN_MS = 60_000;

export class IdleWatch {
  readonly #storage: DurableObjectStorage;
  readonly #idleMs: number;
  readonly #grainMs: number;
  #lastCall: number | undefined;
  #written = 0;
  #notBefore = 0;

  /** @param idleMs how long is long enough, in milliseconds */
  constructor(storage: DurableObjectStorage, idleMs: number) {
    this.#storage = storage;
    this.#idleMs = idleMs;
    this.#grainMs = Math.min(LONGEST_GRAIN_MS, idleMs / 4);
  }

  /** An activating call was made. */
  async called(now: number): Promise<void> {
    this.#lastCall = now;
    if (now - this.#written < this.#grainMs) return;
    this.#written = now;
    await this.#storage.put(KEY, now);
  }

  /** The sandbox must not sleep yet, for the time it takes to be idle. */
  putOff(now: number): void {
    this.#notBefore = now + this.#idleMs;
  }

  /**
   * Milliseconds until it is idle for long enough; 0 when it is.
   *
   * @param withoutTrafficMs how long without traffic is long enough; calls count as ever. Default: the same
   */
  async remainingMs({ idleMs }: SandboxActivity, now: number, withoutTrafficMs = this.#idleMs): Promise<number> {
    if (this.#lastCall === undefined) {
      const written = await this.#storage.get<number>(KEY);
      // Calls after that one may not have been written down.
      this.#lastCall ??= written === undefined ? 0 : written + this.#grainMs;
    }
    return Math.max(0, withoutTrafficMs - idleMs, this.#lastCall + this.#idleMs - now, this.#notBefore - now);
  }
}
