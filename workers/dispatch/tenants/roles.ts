/** The role a user has at an instance: kept a minute for that user and that instance, and for nobody else. */

import { BoundedMap } from "@tenantry/std/bounded-map";
import type { Role } from "#workers/contracts/roles.ts";
import { TENANT_CACHE_TTL_SECONDS, type TenantRecord } from "#workers/contracts/tenant-entry.ts";

const MAX_ROLES = 10_000;

interface Entry {
  slug: string;
  /** Null for a user without a role here. */
  role: Role | null;
  /** Milliseconds since the epoch at which the database was read. */
  readAt: number;
}

export class Roles {
  readonly #entries = new BoundedMap<string, Entry>(MAX_ROLES);
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The role as last read: undefined when it was not, or longer ago than `maxAgeMs` (default: 60 s). */
  get(tenant: TenantRecord, email: string, maxAgeMs = TENANT_CACHE_TTL_SECONDS * 1000): Role | null | undefined {
    const entry = this.#entries.get(key(tenant, email));
    return entry && this.#now() - entry.readAt < maxAgeMs ? entry.role : undefined;
  }

  /** When the role was last read, in milliseconds since the epoch; 0 when it was not. */
  readAt(tenant: TenantRecord, email: string): number {
    return this.#entries.get(key(tenant, email))?.readAt ?? 0;
  }

  keep(tenant: TenantRecord, email: string, role: Role | null): void {
    this.#entries.set(key(tenant, email), { slug: tenant.slug, role, readAt: this.#now() });
  }

  /** Drops every role at a tenant. */
  forget(slug: string): void {
    this.#entries.deleteWhere((entry) => entry.slug === slug);
  }
}

function key(tenant: TenantRecord, email: string): string {
  return `${tenant.instance_id} ${email}`;
}
