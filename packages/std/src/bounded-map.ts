/**
 * A map of at most `capacity` entries that keeps at least the `capacity / 2` entries used last. It holds two generations: a full younger one
 * replaces the older one. So a read of an entry that is used often writes nothing.
 */
export class BoundedMap<K, V> {
  readonly #half: number;
  #younger = new Map<K, V>();
  #older = new Map<K, V>();

  /** @param capacity at least 2 */
  constructor(capacity: number) {
    this.#half = Math.floor(capacity / 2);
  }

  get size(): number {
    return this.#younger.size + this.#older.size;
  }

  get(key: K): V | undefined {
    const value = this.#younger.get(key);
    if (value !== undefined) return value;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    this.#older.delete(key);
    if (this.#younger.size >= this.#half && !this.#younger.has(key)) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(key, value);
  }

  delete(key: K): boolean {
    const wasYoung = this.#younger.delete(key);
    return this.#older.delete(key) || wasYoung;
  }

  /** Deletes every entry that `matches`. */
  deleteWhere(matches: (value: V, key: K) => boolean): void {
    for (const entries of [this.#younger, this.#older]) {
      for (const [key, value] of entries) if (matches(value, key)) entries.delete(key);
    }
  }
}
