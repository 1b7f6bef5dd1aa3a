import type { KeyValueStorage } from "../../storage.ts";

const KEY = "hold";
/** For differences between the clocks of Workers. */
const CLOCKS_MS = 60_000;

/** Prevents starts of the gateway while its tenant is frozen or stopped. */
export class Hold {
  readonly #storage: KeyValueStorage;
  readonly #onEnd: () => Promise<void>;
  /** In milliseconds since the epoch; `null` without a hold. */
  #begun: number | null | undefined;

  /** @param onEnd runs when a hold has ended */
  constructor(storage: KeyValueStorage, onEnd: () => Promise<void>) {
    this.#storage = storage;
    this.#onEnd = onEnd;
  }

  async isActive(): Promise<boolean> {
    return (await this.#read()) !== null;
  }

  async begin(): Promise<void> {
    this.#begun = Date.now();
    await this.#storage.put(KEY, this.#begun);
  }

  async end(): Promise<void> {
    if (!(await this.isActive())) return;
    this.#begun = null;
    await this.#storage.delete(KEY);
    await this.#onEnd();
  }

  /** Ends a hold that began before the tenant was found routable, for when the order of its resume is lost. @param at milliseconds since the epoch */
  async endIfRoutable(at: number): Promise<void> {
    const begun = await this.#read();
    if (begun !== null && at > begun + CLOCKS_MS) await this.end();
  }

  async #read(): Promise<number | null> {
    if (this.#begun === undefined) {
      const stored = await this.#storage.get(KEY);
      this.#begun ??= typeof stored === "number" ? stored : null;
      // An earlier version did not store the time.
      if (stored === true) await this.begin();
    }
    return this.#begun;
  }
}
