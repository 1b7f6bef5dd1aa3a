/** Runs tasks of one key in sequence, tasks of different keys concurrently. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `task` when all earlier tasks of `key` have ended, also after failures. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const previous = this.#tails.get(key) ?? Promise.resolve();
    const result = previous.then(task);
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

  /** Resolves when every task so far has ended, also after failures. */
  async settled(): Promise<void> {
    await Promise.all(this.#tails.values());
  }
}
