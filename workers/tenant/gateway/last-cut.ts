/**
 * When the tenant's connections were last cut. Isolates of the dispatch Worker cache tenants and users for a minute; what they read before
 * the cut no longer admits a request, so that a revoked user or token is refused at once.
 */
import { CUT_AT_HEADER, CUT_STATUS } from "#workers/contracts/platform-headers.ts";
import type { KeyValueStorage } from "../storage.ts";

const KEY = "last-cut";

export class LastCut {
  readonly #storage: KeyValueStorage;
  #at: number | undefined;

  constructor(storage: KeyValueStorage) {
    this.#storage = storage;
  }

  /** Returns the time of the last cut in milliseconds since the epoch; 0 before the first one. */
  async at(): Promise<number> {
    if (this.#at === undefined) {
      const stored = await this.#storage.get(KEY);
      this.#at ??= typeof stored === "number" ? stored : 0;
    }
    return this.#at;
  }

  /** Records a cut. @returns its time */
  async record(): Promise<number> {
    const at = Math.max(Date.now(), (await this.at()) + 1);
    this.#at = at;
    await this.#storage.put(KEY, at);
    return at;
  }

  /**
   * Returns the last cut if it was after an admission; else undefined.
   *
   * @param admittedAt milliseconds since the epoch; undefined of an earlier version of the dispatch Worker, which counts
   */
  async after(admittedAt: number | undefined): Promise<number | undefined> {
    if (admittedAt === undefined) return undefined;
    const at = await this.at();
    return admittedAt < at ? at : undefined;
  }
}

/** Tells the dispatch Worker to read tenant and user again. */
export const cutResponse = (cutAt: number, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, { status: CUT_STATUS, headers: { ...headers, [CUT_AT_HEADER]: String(cutAt) } });
