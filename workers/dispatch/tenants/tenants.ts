/** Finds tenants and the roles of their users. */
import type { KVNamespace } from "@cloudflare/workers-types";
import type { Environment } from "#domain/environment.ts";
import {
  type ResolvedTenant,
  TENANT_ENTRY_VERSION,
  type TenantEntry,
  type TenantRecord,
  tenantCacheKey,
  tenantEntry,
} from "#workers/contracts/tenant-entry.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import { type KeepAlive, SingleFlight } from "#workers/shared/single-flight.ts";
import { BackOffs } from "../caching/back-offs.ts";
import {
  type CacheState,
  EntryCache,
  FRESH_MS,
  JOIN_TIMEOUT_MS,
  type Loaded,
  STALE_LIMIT_MS,
  unavailable,
} from "../caching/entry-cache.ts";
import type { Database } from "./database.ts";
import { type ReadStanding, Roles, roleKey } from "./roles.ts";

/** For differences between the clocks of Workers. */
const CLOCKS_MS = 60_000;
/** At a tenant that was replaced meanwhile. */
const INVALID_TOKEN = { email: null, expires_at: null };

export interface Lookup {
  tenant: TenantRecord | null;
  cache: CacheState;
  /** When the read of the database began, in milliseconds since the epoch. */
  readAt: number;
}

export class Tenants {
  readonly #database: Database;
  readonly #entries: EntryCache<TenantRecord>;
  readonly #roles: Roles;
  readonly #roleReads = new SingleFlight<ReadStanding>(JOIN_TIMEOUT_MS);
  readonly #backOffs: BackOffs;
  readonly #now: () => number;

  constructor({
    environment,
    kv,
    database,
    now = Date.now,
  }: {
    environment: Environment;
    kv: KVNamespace;
    database: Database;
    now?: () => number;
  }) {
    this.#database = database;
    this.#now = now;
    this.#entries = new EntryCache(kv, storageOf(environment), now);
    this.#roles = new Roles(now);
    this.#backOffs = new BackOffs(now);
  }

  cached(slug: string): Lookup | undefined {
    const found = this.#entries.cached(slug);
    return found && { tenant: found.value, cache: found.cache, readAt: found.readAt };
  }

  /** Whether this isolate neither knows the slug nor is looking it up. */
  isUnknown(slug: string): boolean {
    return this.#entries.isUnknown(slug);
  }

  /**
   * Returns the tenant of a slug. Concurrent callers share one lookup.
   *
   * @param caller resolves to the e-mail address or client id whose role is read too; called only when the database is
   * @throws DatabaseUnavailable when the database fails and no stale entry can serve
   */
  async find(slug: string, caller: () => Promise<string | undefined>, keepAlive: KeepAlive): Promise<Lookup> {
    const { value, cache, readAt } = await this.#entries.find(slug, keepAlive, async () =>
      this.#load(slug, await caller(), keepAlive),
    );
    return { tenant: value, cache, readAt };
  }

  /** Returns a function that caches a tenant which the database returns afterwards. */
  learning(keepAlive: KeepAlive): (tenant: TenantRecord) => void {
    const store = this.#entries.storing(keepAlive);
    return (tenant) => void store(tenant.slug, tenant);
  }

  knownStanding(tenant: TenantRecord, caller: string): ReadStanding | undefined {
    return this.#roles.get(tenant, caller);
  }

  /**
   * Returns the role at a tenant of a user, by e-mail address, or of a service token, by client id.
   *
   * @throws DatabaseUnavailable when the database fails and no stale role can serve
   */
  async standing(tenant: TenantRecord, email: string, keepAlive: KeepAlive): Promise<ReadStanding> {
    const known = this.knownStanding(tenant, email);
    if (known !== undefined) return known;
    const stored = this.#roles.get(tenant, email, STALE_LIMIT_MS);
    const last = stored?.role === null ? undefined : stored;
    const key = roleKey(tenant, email);
    if (last && this.#backOffs.isOn(key)) return last;
    const { slug } = tenant;
    try {
      return await this.#roleReads.run(key, keepAlive, async () => {
        const read = () => this.#entries.read(slug, keepAlive, () => this.#load(slug, email, keepAlive));
        const { value, role, token, readAt } = await this.#backOffs.watch(key, read);
        const isSame = value?.instance_id === tenant.instance_id;
        return { role: isSame ? role : null, token: isSame ? token : INVALID_TOKEN, readAt };
      });
    } catch (error) {
      if (last) return last;
      throw unavailable(error);
    }
  }

  /** When the cached tenant and role expire, in milliseconds since the epoch; 0 when not cached. */
  freshUntil(tenant: TenantRecord, email: string | undefined): number {
    const tenantRead = this.#entries.readAt(tenant.slug) ?? 0;
    const roleRead = email === undefined ? tenantRead : this.#roles.readAt(tenant, email);
    const oldest = Math.min(tenantRead, roleRead);
    return oldest === 0 ? 0 : oldest + FRESH_MS;
  }

  /** Removes the tenant and its roles from the isolate's cache, and the tenant from KV. @throws when KV fails */
  async forget(slug: string): Promise<void> {
    this.#roles.forget(slug);
    await this.#entries.forget(slug);
  }

  /**
   * Expires the tenant and its roles that were read before a time, in milliseconds since the epoch, in this isolate. What is read next counts as read
   * then, so a time far ahead is shortened: a gateway behind a tenant Worker of version 0.1 can forge it.
   */
  expire(slug: string, before: number): void {
    const time = Math.min(before, this.#now() + CLOCKS_MS);
    this.#roles.forget(slug, time);
    this.#roleReads.forgetAll();
    this.#entries.expire(slug, time);
  }

  async #load(
    slug: string,
    email: string | undefined,
    keepAlive: KeepAlive,
  ): Promise<Loaded<TenantRecord> & Pick<ResolvedTenant, "role" | "token">> {
    const { tenant, role, token } = await this.#database.resolveTenant(slug, email);
    if (email !== undefined && role !== null && token !== null) this.#recordUse(email, keepAlive);
    const onStored = (readAt: number) => {
      if (tenant && email) this.#roles.set(tenant, email, { role, token, readAt });
    };
    return { value: tenant, role, token, onStored };
  }

  /** Each read of a token's role counts as a use, so that requests with a cached role cost nothing. */
  #recordUse(clientId: string, keepAlive: KeepAlive): void {
    const touched = this.#database.touchServiceToken(clientId);
    keepAlive(
      touched.catch((error: unknown) => log("warn", "service-token-use.not-recorded", { reason: reasonOf(error) })),
    );
  }
}

const storageOf = (environment: Environment) => ({
  keyOf: tenantCacheKey,
  parse(slug: string, stored: unknown) {
    const { data } = tenantEntry.safeParse(stored);
    if (data === undefined) return undefined;
    const { tenant: value, readAt } = data;
    const isOwn = value === null || (value.slug === slug && value.environment === environment);
    return isOwn ? { value, readAt } : undefined;
  },
  write: ({ value, readAt }: { value: TenantRecord | null; readAt: number }): TenantEntry => ({
    v: TENANT_ENTRY_VERSION,
    tenant: value,
    readAt,
  }),
});
