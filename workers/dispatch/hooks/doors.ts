/** Finds doors and decrypts their secrets. */
import type { KVNamespace } from "@cloudflare/workers-types";
import { BoundedMap } from "@tenantry/std/bounded-map";
import type { WebhookSecrets } from "@tenantry/webhooks";
import type { Environment } from "#domain/environment.ts";
import {
  DOOR_ENTRY_VERSION,
  type DoorEntry,
  type DoorRecord,
  doorCacheKey,
  doorEntry,
} from "#workers/contracts/door-entry.ts";
import { bytesOfBase64 } from "#workers/shared/base64.ts";
import { type DoorKeys, openSecrets } from "#workers/shared/doors/door-secrets.ts";
import { sha256Hex } from "#workers/shared/hex.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import { type KeepAlive, SingleFlight } from "#workers/shared/single-flight.ts";
import { EntryCache, type Found, JOIN_TIMEOUT_MS, unavailable } from "../caching/entry-cache.ts";
import type { Database } from "../tenants/database.ts";
import type { Tenants } from "../tenants/tenants.ts";

const MAX_HASHES = 5_000;

/** By the SHA-256 of their keys, in hex. */
export class Doors {
  readonly #database: Database;
  readonly #tenants: Tenants;
  readonly #keys: DoorKeys;
  readonly #entries: EntryCache<DoorRecord>;
  /** Of the keys of doors that exist. */
  readonly #hashes = new BoundedMap<string, string>(MAX_HASHES);
  readonly #rereads = new SingleFlight<{ value: DoorRecord | null }>(JOIN_TIMEOUT_MS);
  /** What {@link reread} read. */
  readonly #reread = new WeakSet<DoorRecord>();
  /** Decrypted once for each cached entry. */
  readonly #secrets = new WeakMap<DoorRecord, Promise<WebhookSecrets[]>>();

  constructor(o: {
    environment: Environment;
    kv: KVNamespace;
    database: Database;
    tenants: Tenants;
    keys: DoorKeys;
    now?: () => number;
  }) {
    this.#database = o.database;
    this.#tenants = o.tenants;
    this.#keys = o.keys;
    this.#entries = new EntryCache(o.kv, storageOf(o.environment), o.now);
  }

  /** Returns the hash of a key. */
  async hashOf(key: string): Promise<string> {
    const known = this.#hashes.get(key);
    if (known !== undefined) return known;
    return sha256Hex(key);
  }

  /** Remembers the hash of a key, because hashing takes measurable time. */
  remember(key: string, hash: string): void {
    this.#hashes.set(key, hash);
  }

  cached(hash: string): Found<DoorRecord> | undefined {
    return this.#entries.cached(hash);
  }

  /** Whether this isolate neither knows the door nor is looking it up. */
  isUnknown(hash: string): boolean {
    return this.#entries.isUnknown(hash);
  }

  /** Returns a door, and caches its tenant. @throws DatabaseUnavailable when the database fails and no stale entry can serve */
  find(hash: string, keepAlive: KeepAlive): Promise<Found<DoorRecord>> {
    return this.#entries.find(hash, keepAlive, this.#load(hash, keepAlive));
  }

  #load(hash: string, keepAlive: KeepAlive) {
    return async () => {
      const learn = this.#tenants.learning(keepAlive);
      const value = await this.#database.resolveDoor(hash);
      if (value) learn(value.tenant);
      return { value };
    };
  }

  /**
   * Reads a door again whose secrets cannot be decrypted, because the cached entry may be from before a rotation of the platform's key. Returns
   * the same door if another reading would not help.
   *
   * @throws DatabaseUnavailable
   */
  async reread(hash: string, door: DoorRecord, keepAlive: KeepAlive): Promise<DoorRecord | null> {
    if (this.#reread.has(door)) return door;
    try {
      const { value } = await this.#rereads.run(hash, keepAlive, () =>
        this.#entries.read(hash, keepAlive, this.#load(hash, keepAlive)),
      );
      if (value !== null) this.#reread.add(value);
      return value;
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** Removes the door from the isolate's cache and from KV. @throws when KV fails */
  forget(hash: string): Promise<void> {
    return this.#entries.forget(hash);
  }

  /** Returns the valid secrets: two while they are rotated. @throws SealedWithOtherKey, or another Error for malformed bytes */
  secrets(door: DoorRecord): Promise<WebhookSecrets[]> {
    let secrets = this.#secrets.get(door);
    if (secrets === undefined) {
      secrets = this.#open(door);
      this.#secrets.set(door, secrets);
    }
    return secrets;
  }

  async #open({ id, secrets, former_secrets: former }: DoorRecord): Promise<WebhookSecrets[]> {
    const open = (sealed: string) => openSecrets(this.#keys, id, bytesOfBase64(sealed));
    const used = await open(secrets);
    if (former === null) return [used];
    try {
      return [used, await open(former)];
    } catch (error) {
      log("error", "door.former-secrets-unreadable", { door: id, reason: reasonOf(error) });
      return [used];
    }
  }
}

const storageOf = (environment: Environment) => ({
  keyOf: doorCacheKey,
  parse(_hash: string, stored: unknown) {
    const { data } = doorEntry.safeParse(stored);
    if (data === undefined) return undefined;
    const { door: value, readAt } = data;
    return value === null || value.tenant.environment === environment ? { value, readAt } : undefined;
  },
  write: ({ value, readAt }: { value: DoorRecord | null; readAt: number }): DoorEntry => ({
    v: DOOR_ENTRY_VERSION,
    door: value,
    readAt,
  }),
});
