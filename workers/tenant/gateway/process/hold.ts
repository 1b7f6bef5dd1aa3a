const KEY = "hold";

/** Prevents starts of the gateway while its tenant is frozen or stopped. */
export class Hold {
  readonly #storage: DurableObjectStorage;
  readonly #onEnd: () => Promise<void>;
  #isActive: boolean | undefined;

  /** @param onEnd runs when a hold has ended */
  constructor(storage: DurableObjectStorage, onEnd: () => Promise<void>) {
    this.#storage = storage;
    this.#onEnd = onEnd;
  }

  async isActive(): Promise<boolean> {
    this.#isActive ??= (await this.#storage.get<boolean>(KEY)) === true;
    return this.#isActive;
  }

  async begin(): Promise<void> {
    this.#isActive = true;
    await this.#storage.put(KEY, true);
  }

  async end(): Promise<void> {
    if (!(await this.isActive())) return;
    this.#isActive = false;
    await this.#storage.delete(KEY);
    await this.#onEnd();
  }
}
