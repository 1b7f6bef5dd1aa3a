/** Stores the gateway's next scheduled job, so that the sandbox wakes for it. */

const KEY = "next-job";
const WOKE_KEY = "woken-for-job";

/** The part of a Durable Object's storage that is used. */
export interface SleepStorage {
  get<T>(key: string): Promise<T | undefined>;
  put<T>(key: string, value: T): Promise<void>;
  delete(key: string): Promise<boolean>;
}

export class NextJob {
  readonly #storage: SleepStorage;

  constructor(storage: SleepStorage) {
    this.#storage = storage;
  }

  /** Returns when the job is due, in milliseconds since the epoch; `undefined` when none is known. */
  at(): Promise<number | undefined> {
    return this.#storage.get<number>(KEY);
  }

  async set(at: number | undefined): Promise<void> {
    if (at === (await this.at())) return;
    if (at === undefined) await this.#storage.delete(KEY);
    else await this.#storage.put(KEY, at);
  }

  /** Whether the sandbox is awake for a job only. */
  async wokeForJob(): Promise<boolean> {
    return (await this.#storage.get<boolean>(WOKE_KEY)) === true;
  }

  async setWokeForJob(value: boolean): Promise<void> {
    if (value) await this.#storage.put(WOKE_KEY, true);
    else await this.#storage.delete(WOKE_KEY);
  }
}
