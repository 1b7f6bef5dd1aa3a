/**
 * Bounds how often a backup is fetched and unpacked for which the disk had no room: that does not pass by itself. Stored, so that an
 * object that starts cold does not begin to count anew.
 */
import { z } from "zod";

/** Attempts in a row. */
const MAX_ATTEMPTS = 3;
/** After them one is made this much later, in milliseconds, should the container have become larger meanwhile; the next after twice as long. */
const FIRST_PAUSE_MS = 5 * 60 * 1000;
/** The longest pause, in milliseconds. */
const LONGEST_PAUSE_MS = 60 * 60 * 1000;

const KEY = "restore-attempts";
const attempts = z.object({
  backup: z.string(),
  /** Absent in what earlier versions stored. */
  plan: z.string().optional(),
  count: z.number().int(),
  /** When the last was, in milliseconds since the epoch. */
  last: z.number(),
});
type Attempts = z.infer<typeof attempts>;

/** The part of a Durable Object's storage that is used. */
export interface AttemptsStorage {
  get(key: string): Promise<unknown>;
  put(key: string, value: Attempts): Promise<void>;
  delete(key: string): Promise<unknown>;
}

export class RestoreAttempts {
  readonly #storage: AttemptsStorage;
  readonly #plan: string;

  /** @param plan what tells the tenant's plan from another, with which the container is of another size: it counts anew then */
  constructor(storage: AttemptsStorage, plan: string) {
    this.#storage = storage;
    this.#plan = plan;
  }

  async permits(backup: string): Promise<boolean> {
    const made = await this.#made();
    return made?.backup !== backup || Date.now() >= nextAfter(made);
  }

  /** When the next one may be made, if one came to nothing. */
  async next(): Promise<Date | undefined> {
    const made = await this.#made();
    return made === undefined ? undefined : new Date(nextAfter(made));
  }

  /** There was no room. */
  async failed(backup: string): Promise<void> {
    const made = await this.#made();
    const count = made?.backup === backup ? made.count + 1 : 1;
    await this.#storage.put(KEY, { backup, plan: this.#plan, count, last: Date.now() });
  }

  async forget(): Promise<void> {
    await this.#storage.delete(KEY);
  }

  async #made(): Promise<Attempts | undefined> {
    const made = attempts.safeParse(await this.#storage.get(KEY)).data;
    return made?.plan === this.#plan ? made : undefined;
  }
}

/** Milliseconds since the epoch. */
function nextAfter({ count, last }: Attempts): number {
  if (count < MAX_ATTEMPTS) return last;
  return last + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - MAX_ATTEMPTS));
}
