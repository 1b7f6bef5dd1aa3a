import type { QueryClient } from "@tanstack/react-query";

/** One operation causes dozens of events. */
const DELAY_MS = 300;

/**
 * Refetches queries by tag and merges requests that arrive together. A query that is being fetched is fetched again afterwards, because its
 * response may predate the change. It is not cancelled, or a fetch slower than the events would never complete.
 */
export class Refetcher {
  readonly #queries: QueryClient;
  readonly #tags = new Set<string>();
  /** Hashes of queries that were being fetched when their tag was added. */
  #postponed = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  add(tags: readonly string[]): void {
    for (const tag of tags) this.#tags.add(tag);
    if (this.#tags.size > 0) this.#timer ??= setTimeout(() => this.#refetch(), DELAY_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #refetch(): void {
    const [tags, postponed] = [new Set(this.#tags), this.#postponed];
    const [busy, idle] = [new Set<string>(), new Set<string>()];
    this.#tags.clear();
    for (const { queryKey, queryHash, state } of this.#queries.getQueryCache().getAll()) {
      if (!tags.has(String(queryKey[0])) && !postponed.has(queryHash)) continue;
      (state.fetchStatus === "fetching" ? busy : idle).add(queryHash);
    }
    this.#postponed = busy;
    this.#timer = busy.size > 0 ? setTimeout(() => this.#refetch(), DELAY_MS) : undefined;
    void this.#queries.invalidateQueries({ predicate: ({ queryHash }) => idle.has(queryHash) });
  }
}
