import { BoundedMap } from "@tenantry/std/bounded-map";
import type { Role } from "#workers/contracts/roles.ts";
import { TENANT_CACHE_TTL_SECONDS, type TenantRecord } from "#workers/contracts/tenant-entry.ts";

const MAX_ROLES = 10_000;

interface Entry {
  slug: string;
  role: Role | null;
  readAt: number;
}

export class Roles {
  readonly #entries = new BoundedMap<string, Entry>(MAX_ROLES);
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get(tenant: TenantRecord, email: string, maxAgeMs = TENANT_CACHE_TTL_SECONDS * 1000): Role | null | undefined {
    const entry = this.#entries.get(roleKey(tenant, email));
    return entry && this.#now() - entry.readAt < maxAgeMs ? entry.role : undefined;
  }

  readAt(tenant: TenantRecord, email: string): number {
    return this.#entries.get(roleKey(tenant, email))?.readAt ?? 0;
  }

  set(tenant: TenantRecord, email: string, role: Role | null): void {
    this.#entries.set(roleKey(tenant, email), { slug: tenant.slug, role, readAt: this.#now() });
  }

  forget(slug: string): void {
    this.#entries.deleteWhere((entry) => entry.slug === slug);
  }
}

export function roleKey(tenant: TenantRecord, email: string): string {
  return `${tenant.instance_id} ${email}`;
}
