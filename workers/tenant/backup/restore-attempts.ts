/**
 * Bounds how often a backup is fetched and unpacked for which the disk had no room: that does not pass by itself. Stored, so that an
 * object that starts cold does not begin to count anew.
 */
import { z } from "zod";

/** Attempts in a row. */
const MAX_ATTEMPTS = 3;
/** After them one is made this much later, in milliseconds, should the container have become larger meanwhile. */
const PAUSE_MS = 60 * 60 * 1000;

const KEY = "restore-attempts";
const attempts = z.object({ backup: z.string(), count: z.number().int(), last: z.number() });

export class RestoreAttempts {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  async permits(backup: string): Promise<boolean> {
    const made = await this.#made();
    return made?.backup !== backup || made.count < MAX_ATTEMPTS || Date.now() - made.last > PAUSE_MS;
  }

  /** There was no room. */
  async failed(backup: string): Promise<void> {
    const made = await this.#made();
    const count = made?.backup === backup ? made.count + 1 : 1;
    await this.#storage.put<z.infer<typeof attempts>>(KEY, { backup, count, last: Date.now() });
  }

  async forget(): Promise<void> {
    if ((await this.#made()) !== undefined) await this.#storage.delete(KEY);
  }

  async #made(): Promise<z.infer<typeof attempts> | undefined> {
    return attempts.safeParse(await this.#storage.get(KEY)).data;
  }
}
