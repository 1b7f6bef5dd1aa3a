/** Runs tasks of one key one after another, tasks of different keys side by side. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `task` when all earlier ones of `key` have ended, well or not. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(task);
    const tail = result.then(
      () => {},
      () => {},
    );
    this.#tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }

  /** Until every task that was given so far has ended, well or not. */
  async settled(): Promise<void> {
    await Promise.all(this.#tails.values());
  }
}
