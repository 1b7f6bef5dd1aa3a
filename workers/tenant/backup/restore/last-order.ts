/**
 * The order of the last restore that was carried out to its end. What one is about stands at the copy of the backup, which it makes the
 * newest: from then on a restore goes on to its end, whoever of the supervisors does it.
 */
const KEY = "restore-order";

export class LastOrder {
  readonly #storage: Pick<DurableObjectStorage, "get" | "put">;

  constructor(storage: Pick<DurableObjectStorage, "get" | "put">) {
    this.#storage = storage;
  }

  async is(order: string): Promise<boolean> {
    return (await this.#storage.get<string>(KEY)) === order;
  }

  async set(order: string): Promise<void> {
    await this.#storage.put(KEY, order);
  }
}
