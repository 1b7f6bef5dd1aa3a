/**
 * Finds tenants: in the isolate's cache, then KV, then the database (spec: "Request flow"). The age of an entry counts from the read of
 * the database.
 */
import type { KVNamespace } from "@cloudflare/workers-types";
import { BoundedMap } from "@tenantry/std/bounded-map";
import type { Environment } from "#domain/environment.ts";
import {
  type ResolvedTenant,
  type Standing,
  TENANT_CACHE_TTL_SECONDS,
  TENANT_ENTRY_VERSION,
  type TenantEntry,
  type TenantRecord,
  tenantCacheKey,
  tenantEntry,
} from "#workers/contracts/tenant-entry.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import { FlightTimeout, type KeepAlive, SingleFlight } from "#workers/shared/single-flight.ts";
import { type Database, DatabaseUnavailable } from "./database.ts";
import { Roles, roleKey } from "./roles.ts";

const FRESH_MS = TENANT_CACHE_TTL_SECONDS * 1000;
/** Shorter, because the tenant may be created meanwhile. */
const UNKNOWN_FRESH_MS = 10_000;
/** Maximum age of an entry while the database is down. */
export const STALE_LIMIT_MS = 15 * 60_000;
const MAX_TENANTS = 5_000;
const MAX_UNKNOWN = 1_000;
const MAX_FAILURES = 5_000;
/** At a tenant that was replaced meanwhile. */
const INVALID_TOKEN = { email: null, expires_at: null };
const BACK_OFF_MS = 5_000;
const JOIN_TIMEOUT_MS = 6_000;

/** `stale`: an expired entry, used because the database is down. */
export type CacheState = "isolate" | "kv" | "database" | "stale";

export interface Lookup {
  tenant: TenantRecord | null;
  cache: CacheState;
}

export class Tenants {
  readonly #environment: Environment;
  readonly #kv: KVNamespace;
  readonly #database: Database;
  readonly #roles: Roles;
  readonly #now: () => number;
  readonly #known = new BoundedMap<string, TenantEntry>(MAX_TENANTS);
  /** Separate, so that unknown slugs evict no tenant. */
  readonly #unknown = new BoundedMap<string, TenantEntry>(MAX_UNKNOWN);
  readonly #roleReads = new SingleFlight<Standing>(JOIN_TIMEOUT_MS);
  readonly #lookups = new SingleFlight<Lookup>(JOIN_TIMEOUT_MS);
  /** Incremented by {@link forget}, so that earlier reads are not cached afterwards. */
  #generation = 0;
  readonly #backOffs: BackOffs;

  constructor(o: { environment: Environment; kv: KVNamespace; database: Database; now?: () => number }) {
    this.#environment = o.environment;
    this.#kv = o.kv;
    this.#database = o.database;
    this.#now = o.now ?? Date.now;
    this.#roles = new Roles(this.#now);
    this.#backOffs = new BackOffs(this.#now);
  }

  cached(slug: string): Lookup | undefined {
    const entry = this.#known.get(slug) ?? this.#unknown.get(slug);
    return entry && this.#isFresh(entry) ? { tenant: entry.tenant, cache: "isolate" } : undefined;
  }

  /** Whether this isolate neither knows the slug nor is looking it up. */
  isUnknown(slug: string): boolean {
    return this.#known.get(slug) === undefined && !this.#lookups.isRunning(slug);
  }

  /**
   * Returns the tenant of a slug. Concurrent callers share one lookup.
   *
   * @param caller resolves to the e-mail address or client id whose role is read too; called only when the database is
   * @throws DatabaseUnavailable when the database fails and no stale entry can serve
   */
  async find(slug: string, caller: () => Promise<string | undefined>, keepAlive: KeepAlive): Promise<Lookup> {
    const cached = this.cached(slug);
    if (cached) return cached;
    try {
      return await this.#lookups.run(slug, keepAlive, () => this.#lookUp(slug, caller, keepAlive));
    } catch (error) {
      if (error instanceof FlightTimeout) throw new DatabaseUnavailable(error.message);
      throw error;
    }
  }

  knownStanding(tenant: TenantRecord, caller: string): Standing | undefined {
    return this.#roles.get(tenant, caller);
  }

  /**
   * Returns the role at a tenant of a user, by e-mail address, or of a service token, by client id.
   *
   * @throws DatabaseUnavailable when the database fails and no stale role can serve
   */
  async standing(tenant: TenantRecord, email: string, keepAlive: KeepAlive): Promise<Standing> {
    const known = this.knownStanding(tenant, email);
    if (known !== undefined) return known;
    const stored = this.#roles.get(tenant, email, STALE_LIMIT_MS);
    const last = stored?.role === null ? undefined : stored;
    const key = roleKey(tenant, email);
    if (last && this.#backOffs.isOn(key)) return last;
    try {
      return await this.#roleReads.run(key, keepAlive, async () => {
        const answer = await this.#backOffs.watch(key, () => this.#read(tenant.slug, email, keepAlive));
        const isSame = answer.tenant?.instance_id === tenant.instance_id;
        return { role: isSame ? answer.role : null, token: isSame ? answer.token : INVALID_TOKEN };
      });
    } catch (error) {
      if (last) return last;
      throw error instanceof FlightTimeout ? new DatabaseUnavailable(error.message) : error;
    }
  }

  /** When the cached tenant and role expire, in milliseconds since the epoch; 0 when not cached. */
  freshUntil(tenant: TenantRecord, email: string | undefined): number {
    const tenantRead = this.#known.get(tenant.slug)?.readAt ?? 0;
    const roleRead = email === undefined ? tenantRead : this.#roles.readAt(tenant, email);
    const oldest = Math.min(tenantRead, roleRead);
    return oldest === 0 ? 0 : oldest + FRESH_MS;
  }

  /** Removes the tenant and its roles from the isolate's cache, and the tenant from KV. @throws when KV fails */
  async forget(slug: string): Promise<void> {
    this.#generation += 1;
    this.#lookups.forget(slug);
    this.#known.delete(slug);
    this.#unknown.delete(slug);
    this.#roles.forget(slug);
    await this.#kv.delete(tenantCacheKey(slug));
  }

  async #lookUp(slug: string, caller: () => Promise<string | undefined>, keepAlive: KeepAlive): Promise<Lookup> {
    const generation = this.#generation;
    const stored = await this.#readKv(slug);
    if (stored && this.#isFresh(stored)) {
      if (generation === this.#generation) this.#store(slug, stored);
      return { tenant: stored.tenant, cache: "kv" };
    }
    const last = this.#lastKnown(slug, stored);
    if (last && this.#backOffs.isOn(slug)) return { tenant: last, cache: "stale" };
    try {
      const email = await caller();
      const { tenant } = await this.#backOffs.watch(slug, () => this.#read(slug, email, keepAlive));
      return { tenant, cache: "database" };
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || !last) throw error;
      log("warn", "database.unavailable", { reason: reasonOf(error) });
      return { tenant: last, cache: "stale" };
    }
  }

  async #read(slug: string, email: string | undefined, keepAlive: KeepAlive): Promise<ResolvedTenant> {
    const generation = this.#generation;
    const answer = await this.#database.resolveTenant(slug, email);
    if (email !== undefined && answer.role !== null && answer.token !== null) this.#recordUse(email, keepAlive);
    if (generation !== this.#generation) return answer;
    const entry: TenantEntry = { v: TENANT_ENTRY_VERSION, tenant: answer.tenant, readAt: this.#now() };
    // Unknown slugs are not written to KV: a write costs more than another read.
    const isStored = answer.tenant !== null || this.#known.get(slug) !== undefined;
    this.#store(slug, entry);
    if (answer.tenant && email) this.#roles.set(answer.tenant, email, { role: answer.role, token: answer.token });
    if (!isStored) return answer;
    const written = this.#kv.put(tenantCacheKey(slug), JSON.stringify(entry), {
      expirationTtl: TENANT_CACHE_TTL_SECONDS,
    });
    keepAlive(written.catch((error: unknown) => log("warn", "kv-put.failed", { reason: reasonOf(error) })));
    return answer;
  }

  /** Each read of a token's role counts as a use, so that requests with a cached role cost nothing. */
  #recordUse(clientId: string, keepAlive: KeepAlive): void {
    const touched = this.#database.touchServiceToken(clientId);
    keepAlive(
      touched.catch((error: unknown) => log("warn", "service-token-use.not-recorded", { reason: reasonOf(error) })),
    );
  }

  #store(slug: string, entry: TenantEntry): void {
    this.#known.delete(slug);
    this.#unknown.delete(slug);
    (entry.tenant ? this.#known : this.#unknown).set(slug, entry);
  }

  async #readKv(slug: string): Promise<TenantEntry | undefined> {
    try {
      const parsed = tenantEntry.safeParse(await this.#kv.get(tenantCacheKey(slug), "json"));
      if (!parsed.success || !this.#isOf(slug, parsed.data.tenant)) return undefined;
      // Another machine's clock may be ahead.
      return { ...parsed.data, readAt: Math.min(parsed.data.readAt, this.#now()) };
    } catch (error) {
      log("warn", "kv-get.failed", { reason: reasonOf(error) });
      return undefined;
    }
  }

  #isOf(slug: string, tenant: TenantRecord | null): boolean {
    return tenant === null || (tenant.slug === slug && tenant.environment === this.#environment);
  }

  #isFresh(entry: TenantEntry): boolean {
    return this.#now() - entry.readAt < (entry.tenant ? FRESH_MS : UNKNOWN_FRESH_MS);
  }

  #lastKnown(slug: string, stored: TenantEntry | undefined): TenantRecord | undefined {
    const entry = this.#known.get(slug) ?? stored;
    return entry?.tenant && this.#now() - entry.readAt < STALE_LIMIT_MS ? entry.tenant : undefined;
  }
}

/** Records recent failures of database calls by key, so that callers with a stale value can skip the call. */
class BackOffs {
  readonly #failedAt = new BoundedMap<string, number>(MAX_FAILURES);
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async watch<T>(key: string, call: () => Promise<T>): Promise<T> {
    try {
      const answer = await call();
      this.#failedAt.delete(key);
      return answer;
    } catch (error) {
      this.#failedAt.set(key, this.#now());
      throw error;
    }
  }

  isOn(key: string): boolean {
    return this.#now() - (this.#failedAt.get(key) ?? Number.NEGATIVE_INFINITY) < BACK_OFF_MS;
  }
}
