/** Which calls of the database failed lately, each by itself: those who can do without leave it alone for a while. */
import { BoundedMap } from "@tenantry/std/bounded-map";

const BACK_OFF_MS = 5_000;
const MAX_FAILURES = 5_000;

export class BackOffs {
  readonly #failedAt = new BoundedMap<string, number>(MAX_FAILURES);
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What `call` gives; that it failed counts for `key` and no other. */
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

  /** Whether a call of `key` failed within the last seconds. */
  isOn(key: string): boolean {
    return this.#now() - (this.#failedAt.get(key) ?? Number.NEGATIVE_INFINITY) < BACK_OFF_MS;
  }
}
