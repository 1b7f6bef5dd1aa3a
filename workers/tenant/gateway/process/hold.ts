/** Keeps a gateway from being started while its tenant is frozen or stopped, also by what was open before. */

const KEY = "hold";

export class Hold {
  readonly #storage: DurableObjectStorage;
  #stands: boolean | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  async stands(): Promise<boolean> {
    this.#stands ??= (await this.#storage.get<boolean>(KEY)) === true;
    return this.#stands;
  }

  async begin(): Promise<void> {
    this.#stands = true;
    await this.#storage.put(KEY, true);
  }

  /** A call came that may reach the tenant. */
  async end(): Promise<void> {
    if (!(await this.stands())) return;
    this.#stands = false;
    await this.#storage.delete(KEY);
  }
}
