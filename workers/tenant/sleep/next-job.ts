/** The gateway's next scheduled job, as it told it last: remembered over sleep, so that the sandbox is woken in time. */

const KEY = "next-job";
const WOKEN_KEY = "woken-for-job";

/** What is kept of an object's storage. */
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

  /** When it is due, in milliseconds since the epoch; `undefined` when none is known. */
  at(): Promise<number | undefined> {
    return this.#storage.get<number>(KEY);
  }

  /** @param at as {@link at} has it */
  async set(at: number | undefined): Promise<void> {
    if (at === (await this.at())) return;
    if (at === undefined) await this.#storage.delete(KEY);
    else await this.#storage.put(KEY, at);
  }

  /** The sandbox is awake for a job and for nobody else. */
  async wokeForIt(): Promise<boolean> {
    return (await this.#storage.get<boolean>(WOKEN_KEY)) === true;
  }

  /** @param forIt whether the sandbox is woken for a job; else it sleeps, or somebody else came */
  async woken(forIt: boolean): Promise<void> {
    if (forIt) await this.#storage.put(WOKEN_KEY, true);
    else await this.#storage.delete(WOKEN_KEY);
  }
}
