/**
 * Finds entries of the database: in the isolate's cache, then KV, then the database (spec: "Request flow"). The age of an entry counts from
 * the read of the database.
 */
import type { KVNamespace } from "@cloudflare/workers-types";
import { BoundedMap } from "@tenantry/std/bounded-map";
import { TENANT_CACHE_TTL_SECONDS } from "#workers/contracts/tenant-entry.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import { FlightTimeout, type KeepAlive, SingleFlight } from "#workers/shared/single-flight.ts";
import { DatabaseUnavailable } from "../tenants/database.ts";
import { BackOffs } from "./back-offs.ts";

export const FRESH_MS = TENANT_CACHE_TTL_SECONDS * 1000;
/** Shorter, because the entry may be created meanwhile. */
const UNKNOWN_FRESH_MS = 10_000;
/** Maximum age of an entry while the database is down. */
export const STALE_LIMIT_MS = 15 * 60_000;
const MAX_KNOWN = 5_000;
const MAX_UNKNOWN = 1_000;
export const JOIN_TIMEOUT_MS = 6_000;

/** `stale`: an expired entry, used because the database is down. */
export type CacheState = "isolate" | "kv" | "database" | "stale";

/** `value` is null for a name that does not exist. */
export interface Entry<T> {
  value: T | null;
  /** When the read of the database began, in milliseconds since the epoch. */
  readAt: number;
}

export interface Found<T> extends Entry<T> {
  cache: CacheState;
}

/** How entries are stored in KV. */
interface Storage<T> {
  keyOf(name: string): string;
  /** Returns `undefined` for a malformed entry, and for one of another name or environment. */
  parse(name: string, stored: unknown): Entry<T> | undefined;
  write(entry: Entry<T>): object;
}

/** A value from the database. @param onStored called unless the cache was cleared during the read */
export interface Loaded<T> {
  value: T | null;
  onStored?: (readAt: number) => void;
}

/** Caches a value that is read afterwards. `undefined` if the cache was cleared meanwhile; else when the read began. */
type Store<T> = (name: string, value: T | null) => number | undefined;

export class EntryCache<T> {
  readonly #kv: KVNamespace;
  readonly #storage: Storage<T>;
  readonly #now: () => number;
  readonly #known = new BoundedMap<string, Entry<T>>(MAX_KNOWN);
  /** Separate, so that unknown names evict no known one. */
  readonly #unknown = new BoundedMap<string, Entry<T>>(MAX_UNKNOWN);
  readonly #lookups = new SingleFlight<Found<T>>(JOIN_TIMEOUT_MS);
  readonly #backOffs: BackOffs;
  /** Incremented by {@link forget}, so that earlier reads are not cached afterwards. */
  #generation = 0;
  /** Entries that were read earlier do not count: see {@link expire}. */
  readonly #expired = new BoundedMap<string, number>(MAX_KNOWN);

  constructor(kv: KVNamespace, storage: Storage<T>, now: () => number = Date.now) {
    this.#kv = kv;
    this.#storage = storage;
    this.#now = now;
    this.#backOffs = new BackOffs(now);
  }

  cached(name: string): Found<T> | undefined {
    const entry = this.#known.get(name) ?? this.#unknown.get(name);
    return entry && this.#isFresh(entry) ? { ...entry, cache: "isolate" } : undefined;
  }

  /** Whether this isolate neither knows the name nor is looking it up. */
  isUnknown(name: string): boolean {
    return this.#known.get(name) === undefined && !this.#lookups.isRunning(name);
  }

  /** When the cached value was read, in milliseconds since the epoch; `undefined` if it does not exist or is not cached. */
  readAt(name: string): number | undefined {
    return this.#known.get(name)?.readAt;
  }

  /**
   * Returns the value of a name. Concurrent callers share one lookup.
   *
   * @param load reads the database
   * @throws DatabaseUnavailable when the database fails and no stale entry can serve
   */
  async find(name: string, keepAlive: KeepAlive, load: () => Promise<Loaded<T>>): Promise<Found<T>> {
    const cached = this.cached(name);
    if (cached) return cached;
    try {
      return await this.#lookups.run(name, keepAlive, () => this.#lookUp(name, keepAlive, load));
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** Reads the database and caches the value. */
  async read<L extends Loaded<T>>(name: string, keepAlive: KeepAlive, load: () => Promise<L>): Promise<L & Entry<T>> {
    const store = this.storing(keepAlive);
    const begun = this.#now();
    const loaded = await load();
    const readAt = store(name, loaded.value);
    if (readAt !== undefined) loaded.onStored?.(readAt);
    return { ...loaded, readAt: readAt ?? begun };
  }

  storing(keepAlive: KeepAlive): Store<T> {
    const generation = this.#generation;
    const begun = this.#now();
    return (name, value) => {
      if (generation !== this.#generation) return undefined;
      // The clock of the tenant that expired earlier entries may be ahead.
      const entry: Entry<T> = { value, readAt: Math.max(begun, this.#expired.get(name) ?? 0) };
      // Unknown names are not written to KV: a write costs more than another read.
      const isStored = value !== null || this.#known.get(name) !== undefined;
      this.#store(name, entry);
      if (isStored) this.#writeKv(name, entry, keepAlive);
      return entry.readAt;
    };
  }

  /** Expires entries whose read began before a time, in milliseconds since the epoch; also those in KV, for this isolate. */
  expire(name: string, before: number): void {
    if (before <= (this.#expired.get(name) ?? 0)) return;
    this.#expired.set(name, before);
    this.#generation += 1;
    this.#lookups.forget(name);
    for (const entries of [this.#known, this.#unknown]) {
      if ((entries.get(name)?.readAt ?? before) < before) entries.delete(name);
    }
  }

  /** Removes the entry from the isolate's cache and from KV. @throws when KV fails */
  async forget(name: string): Promise<void> {
    this.#generation += 1;
    this.#lookups.forget(name);
    this.#known.delete(name);
    this.#unknown.delete(name);
    await this.#kv.delete(this.#storage.keyOf(name));
  }

  async #lookUp(name: string, keepAlive: KeepAlive, load: () => Promise<Loaded<T>>): Promise<Found<T>> {
    const generation = this.#generation;
    const stored = await this.#readKv(name);
    if (stored && this.#isFresh(stored)) {
      if (generation === this.#generation) this.#store(name, stored);
      return { ...stored, cache: "kv" };
    }
    const last = this.#lastKnown(name, stored);
    if (last && this.#backOffs.isOn(name)) return { ...last, cache: "stale" };
    try {
      const { value, readAt } = await this.#backOffs.watch(name, () => this.read(name, keepAlive, load));
      return { value, readAt, cache: "database" };
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || !last) throw error;
      log("warn", "database.unavailable", { reason: reasonOf(error) });
      return { ...last, cache: "stale" };
    }
  }

  #store(name: string, entry: Entry<T>): void {
    this.#known.delete(name);
    this.#unknown.delete(name);
    (entry.value === null ? this.#unknown : this.#known).set(name, entry);
  }

  #writeKv(name: string, entry: Entry<T>, keepAlive: KeepAlive): void {
    const text = JSON.stringify(this.#storage.write(entry));
    const written = this.#kv.put(this.#storage.keyOf(name), text, { expirationTtl: TENANT_CACHE_TTL_SECONDS });
    keepAlive(written.catch((error: unknown) => log("warn", "kv-put.failed", { reason: reasonOf(error) })));
  }

  async #readKv(name: string): Promise<Entry<T> | undefined> {
    try {
      const entry = this.#storage.parse(name, await this.#kv.get(this.#storage.keyOf(name), "json"));
      if (entry === undefined || entry.readAt < (this.#expired.get(name) ?? 0)) return undefined;
      // Another machine's clock may be ahead.
      return { ...entry, readAt: Math.min(entry.readAt, this.#now()) };
    } catch (error) {
      log("warn", "kv-get.failed", { reason: reasonOf(error) });
      return undefined;
    }
  }

  #isFresh(entry: Entry<T>): boolean {
    return this.#now() - entry.readAt < (entry.value === null ? UNKNOWN_FRESH_MS : FRESH_MS);
  }

  #lastKnown(name: string, stored: Entry<T> | undefined): Entry<T> | undefined {
    const entry = this.#known.get(name) ?? stored;
    if (entry === undefined || entry.value === null) return undefined;
    return this.#now() - entry.readAt < STALE_LIMIT_MS ? entry : undefined;
  }
}

/** A caller that waited too long for another's read is as one whose read failed. */
export const unavailable = (error: unknown): unknown =>
  error instanceof FlightTimeout ? new DatabaseUnavailable(error.message) : error;
