/** Limits how often a restore is tried for which the disk had no room. Stored, so that a cold start does not reset the count. */
import * as z from "zod";
import type { VersionAnswer } from "#workers/contracts/tenant/sandbox.ts";
import type { KeyValueStorage } from "../../storage.ts";

/** Consecutive attempts without a pause. */
const MAX_ATTEMPTS = 3;
/** The first pause, in milliseconds. Each further pause is twice as long. */
const FIRST_PAUSE_MS = 5 * 60 * 1000;
const MAX_PAUSE_MS = 60 * 60 * 1000;
/** Sizes that differ by less than this share count as the same disk, since its reserved space varies. */
const SIZE_TOLERANCE = 0.01;

const KEY = "restore-attempts";
const place = z.object({
  /** Size of the disk; absent when it is unknown. */
  diskBytes: z.number().optional(),
  /** Gateway version of the image; absent when it is unknown. */
  image: z.string().optional(),
});
/** The container in which a restore is tried. Another size or image may have more room. */
export type RestorePlace = z.infer<typeof place>;

const attempts = z.object({
  backup: z.string(),
  /** Absent in records of earlier versions, which are ignored. */
  place: place.optional(),
  count: z.number().int(),
  /** Time of the last attempt, in milliseconds since the epoch. */
  last: z.number(),
});
type Attempts = z.infer<typeof attempts>;

export const placeOf = ({ diskBytes, image }: VersionAnswer): RestorePlace => ({
  ...(diskBytes !== undefined && { diskBytes }),
  ...(image !== undefined && { image: `${image.name} ${image.version}` }),
});

function isSamePlace(a: RestorePlace, b: RestorePlace): boolean {
  if (a.image !== b.image) return false;
  if (a.diskBytes === undefined || b.diskBytes === undefined) return a.diskBytes === b.diskBytes;
  return Math.abs(a.diskBytes - b.diskBytes) <= SIZE_TOLERANCE * Math.max(a.diskBytes, b.diskBytes);
}

export class RestoreAttempts {
  readonly #storage: KeyValueStorage;

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
  }

  async permits(backup: string, place: RestorePlace): Promise<boolean> {
    const stored = await this.#stored();
    return stored?.backup !== backup || !isSamePlace(stored.place, place) || Date.now() >= nextAfter(stored);
  }

  /** Returns when the next attempt in the same place is permitted; `undefined` when none failed. */
  async next(): Promise<Date | undefined> {
    const stored = await this.#stored();
    return stored === undefined ? undefined : new Date(nextAfter(stored));
  }

  /** Records an attempt that found no room. */
  async recordFailure(backup: string, place: RestorePlace): Promise<void> {
    const stored = await this.#stored();
    const isRepeated = stored?.backup === backup && isSamePlace(stored.place, place);
    const next: Attempts = { backup, place, count: isRepeated ? stored.count + 1 : 1, last: Date.now() };
    await this.#storage.put(KEY, next);
  }

  async forget(): Promise<void> {
    await this.#storage.delete(KEY);
  }

  async #stored(): Promise<(Attempts & { place: RestorePlace }) | undefined> {
    const stored = attempts.safeParse(await this.#storage.get(KEY)).data;
    return stored?.place === undefined ? undefined : { ...stored, place: stored.place };
  }
}

/** @returns milliseconds since the epoch */
function nextAfter({ count, last }: Attempts): number {
  if (count < MAX_ATTEMPTS) return last;
  return last + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - MAX_ATTEMPTS));
}
