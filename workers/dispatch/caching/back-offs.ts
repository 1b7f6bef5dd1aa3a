import { BoundedMap } from "@tenantry/std/bounded-map";

const MAX_FAILURES = 5_000;
const BACK_OFF_MS = 5_000;

/** Records recent failures of database calls by key, so that callers with a stale value can skip the call. */
export class BackOffs {
  readonly #failedAt = new BoundedMap<string, number>(MAX_FAILURES);
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async watch<T>(key: string, call: () => Promise<T>): Promise<T> {
    try {
      const answer = await call();
      this.#failedAt.delete(key);
      return answer;
    } catch (error) {
      this.#failedAt.set(key, this.#now());
      throw error;
    }
  }

  isOn(key: string): boolean {
    return this.#now() - (this.#failedAt.get(key) ?? Number.NEGATIVE_INFINITY) < BACK_OFF_MS;
  }
}
