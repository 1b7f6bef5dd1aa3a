/** The tenant's own provider keys and what providers say of them, in the supervisor's storage. No backup contains it, and no container. */
import type { ProviderRefusal } from "#domain/provider-keys/refusals.ts";
import type { OwnProviderKey, ReportedProviderKey } from "#workers/contracts/tenant/provider-keys.ts";
import type { KeyValueStorage } from "../../storage.ts";

const KEYS = "provider-keys";
const REPORTS = "provider-key-reports";
const MINUTE_MS = 60_000;

/** What a call says of its key: a refusal; null if the provider accepted the key; undefined if nothing. */
export type KeyOutcome = ProviderRefusal | null | undefined;

type Report = Omit<ReportedProviderKey, "id">;

export class StoredProviderKeys {
  readonly #storage: KeyValueStorage;
  readonly #now: () => number;
  #keys: readonly OwnProviderKey[] = [];
  #reports: ReadonlyMap<string, Report> = new Map();

  /** @param now milliseconds since the epoch. Default: the system clock */
  constructor(storage: KeyValueStorage, now: () => number = Date.now) {
    this.#storage = storage;
    this.#now = now;
  }

  /** Reads the keys. Call before anything else. */
  async load(): Promise<void> {
    // Only this class writes them, after they were parsed.
    this.#keys = ((await this.#storage.get(KEYS)) as OwnProviderKey[] | undefined) ?? [];
    this.#reports = new Map((await this.#storage.get(REPORTS)) as [string, Report][] | undefined);
  }

  get current(): readonly OwnProviderKey[] {
    return this.#keys;
  }

  /** Secrets to remove from logs. */
  get secrets(): string[] {
    return this.#keys.map(({ key }) => key);
  }

  /** Replaces the keys. What providers said of the others is forgotten. */
  async replace(keys: readonly OwnProviderKey[]): Promise<void> {
    await (keys.length === 0 ? this.#storage.delete(KEYS) : this.#storage.put(KEYS, keys));
    this.#keys = keys;
    const reports = [...this.#reports].filter(([id]) => this.#has(id));
    if (reports.length !== this.#reports.size) await this.#setReports(reports);
  }

  /** Records the outcome of a call. Writes at most once a minute unless the fault changes. Ignores the outcome of a key that was replaced. */
  async record(id: string, outcome: KeyOutcome): Promise<void> {
    if (!this.#has(id)) return;
    const before = this.#reports.get(id) ?? { lastUsedAt: null, fault: null };
    const minute = new Date(Math.floor(this.#now() / MINUTE_MS) * MINUTE_MS).toISOString();
    const fault = outcome === undefined ? before.fault : outcome && { ...faultOf(outcome), at: minute };
    const after = { lastUsedAt: minute, fault };
    if (JSON.stringify(after) === JSON.stringify(before)) return;
    await this.#setReports([...new Map(this.#reports).set(id, after)]);
  }

  /** Returns what is known of each key. */
  report(): ReportedProviderKey[] {
    return this.#keys.map(({ id }) => ({ id, ...(this.#reports.get(id) ?? { lastUsedAt: null, fault: null }) }));
  }

  #has(id: string): boolean {
    return this.#keys.some((key) => key.id === id);
  }

  async #setReports(reports: readonly [string, Report][]): Promise<void> {
    this.#reports = new Map(reports);
    await this.#storage.put(REPORTS, reports);
  }
}

const faultOf = ({ fault, message }: ProviderRefusal) => ({ kind: fault, message });
