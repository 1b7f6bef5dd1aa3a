import { BoundedMap } from "@tenantry/std/bounded-map";
import { type Standing, TENANT_CACHE_TTL_SECONDS, type TenantRecord } from "#workers/contracts/tenant-entry.ts";

const MAX_ROLES = 10_000;

interface Entry {
  slug: string;
  standing: Standing;
  readAt: number;
}

/** Standings of users by e-mail address, and of service tokens by client id. */
export class Roles {
  readonly #entries = new BoundedMap<string, Entry>(MAX_ROLES);
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get(tenant: TenantRecord, email: string, maxAgeMs = TENANT_CACHE_TTL_SECONDS * 1000): Standing | undefined {
    const entry = this.#entries.get(roleKey(tenant, email));
    return entry && this.#now() - entry.readAt < maxAgeMs ? entry.standing : undefined;
  }

  readAt(tenant: TenantRecord, email: string): number {
    return this.#entries.get(roleKey(tenant, email))?.readAt ?? 0;
  }

  set(tenant: TenantRecord, email: string, standing: Standing): void {
    this.#entries.set(roleKey(tenant, email), { slug: tenant.slug, standing, readAt: this.#now() });
  }

  forget(slug: string): void {
    this.#entries.deleteWhere((entry) => entry.slug === slug);
  }
}

export function roleKey(tenant: TenantRecord, email: string): string {
  return `${tenant.instance_id} ${email}`;
}
