/**
 * Bounds how often a backup is fetched and unpacked for which the disk had no room: that does not pass by itself. Stored, so that an
 * object that starts cold does not begin to count anew.
 */
import * as z from "zod";
import type { VersionAnswer } from "#workers/contracts/tenant/sandbox.ts";

/** Attempts in a row. */
const MAX_ATTEMPTS = 3;
/** After them one is made this much later, in milliseconds, should there be room meanwhile; the next after twice as long. */
const FIRST_PAUSE_MS = 5 * 60 * 1000;
/** The longest pause, in milliseconds. */
const LONGEST_PAUSE_MS = 60 * 60 * 1000;
/** Share by which a disk's size may differ and the disk be the same: some count what is reserved now and then. */
const SAME_SIZE = 0.01;

const KEY = "restore-attempts";
const place = z.object({
  /** Bytes of the disk; absent where it cannot be told. */
  diskBytes: z.number().optional(),
  /** The gateway's version in the image; absent where it does not tell. */
  image: z.string().optional(),
});
/** Where it is tried: a container of another size, or of another image, has other room. */
export type RestorePlace = z.infer<typeof place>;

const attempts = z.object({
  backup: z.string(),
  /** Absent in what earlier versions stored, which counts for nothing. */
  place: place.optional(),
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

export const placeOf = ({ diskBytes, image }: VersionAnswer): RestorePlace => ({
  ...(diskBytes !== undefined && { diskBytes }),
  ...(image !== undefined && { image: `${image.name} ${image.version}` }),
});

function isSame(a: RestorePlace, b: RestorePlace): boolean {
  if (a.image !== b.image) return false;
  if (a.diskBytes === undefined || b.diskBytes === undefined) return a.diskBytes === b.diskBytes;
  return Math.abs(a.diskBytes - b.diskBytes) <= SAME_SIZE * Math.max(a.diskBytes, b.diskBytes);
}

export class RestoreAttempts {
  readonly #storage: AttemptsStorage;

  constructor(storage: AttemptsStorage) {
    this.#storage = storage;
  }

  async permits(backup: string, there: RestorePlace): Promise<boolean> {
    const made = await this.#made();
    return made?.backup !== backup || !isSame(made.place, there) || Date.now() >= nextAfter(made);
  }

  /** When the next one may be made in the same place, if one came to nothing. */
  async next(): Promise<Date | undefined> {
    const made = await this.#made();
    return made === undefined ? undefined : new Date(nextAfter(made));
  }

  /** There was no room. */
  async failed(backup: string, there: RestorePlace): Promise<void> {
    const made = await this.#made();
    const isAgain = made?.backup === backup && isSame(made.place, there);
    await this.#storage.put(KEY, { backup, place: there, count: isAgain ? made.count + 1 : 1, last: Date.now() });
  }

  async forget(): Promise<void> {
    await this.#storage.delete(KEY);
  }

  async #made(): Promise<(Attempts & { place: RestorePlace }) | undefined> {
    const made = attempts.safeParse(await this.#storage.get(KEY)).data;
    return made?.place === undefined ? undefined : { ...made, place: made.place };
  }
}

/** Milliseconds since the epoch. */
function nextAfter({ count, last }: Attempts): number {
  if (count < MAX_ATTEMPTS) return last;
  return last + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - MAX_ATTEMPTS));
}
