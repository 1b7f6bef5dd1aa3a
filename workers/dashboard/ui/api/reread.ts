import type { QueryClient } from "@tanstack/react-query";

/** Between two readings of the same, in milliseconds: news of one operation come in dozens. */
const PAUSE_MS = 300;

/**
 * Has what bears tags read anew, however many ask for it at once. What is being read meanwhile is read once more when it has come, as it may
 * have been answered before the change; it is not broken off, or a reading that takes longer than news need to come would never end.
 */
export class Reread {
  readonly #queries: QueryClient;
  readonly #tags = new Set<string>();
  /** Hashes of queries that were being read when their tag was told. */
  #late = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  tell(tags: readonly string[]): void {
    for (const tag of tags) this.#tags.add(tag);
    if (this.#tags.size > 0) this.#timer ??= setTimeout(() => this.#read(), PAUSE_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #read(): void {
    const [tags, late] = [new Set(this.#tags), this.#late];
    const [busy, free] = [new Set<string>(), new Set<string>()];
    this.#tags.clear();
    for (const { queryKey, queryHash, state } of this.#queries.getQueryCache().getAll()) {
      if (!tags.has(String(queryKey[0])) && !late.has(queryHash)) continue;
      (state.fetchStatus === "fetching" ? busy : free).add(queryHash);
    }
    this.#late = busy;
    this.#timer = busy.size > 0 ? setTimeout(() => this.#read(), PAUSE_MS) : undefined;
    void this.#queries.invalidateQueries({ predicate: ({ queryHash }) => free.has(queryHash) });
  }
}
