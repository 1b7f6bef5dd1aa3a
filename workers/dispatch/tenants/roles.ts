import { BoundedMap } from "@tenantry/std/bounded-map";
import { type Standing, TENANT_CACHE_TTL_SECONDS, type TenantRecord } from "#workers/contracts/tenant-entry.ts";

const MAX_ROLES = 10_000;

/** `readAt`: when the read of the database began, in milliseconds since the epoch. */
export type ReadStanding = Standing & { readAt: number };

interface Entry {
  slug: string;
  standing: ReadStanding;
}

/** Standings of users by e-mail address, and of service tokens by client id. */
export class Roles {
  readonly #entries = new BoundedMap<string, Entry>(MAX_ROLES);
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get(tenant: TenantRecord, email: string, maxAgeMs = TENANT_CACHE_TTL_SECONDS * 1000): ReadStanding | undefined {
    const standing = this.#entries.get(roleKey(tenant, email))?.standing;
    return standing && this.#now() - standing.readAt < maxAgeMs ? standing : undefined;
  }

  readAt(tenant: TenantRecord, email: string): number {
    return this.#entries.get(roleKey(tenant, email))?.standing.readAt ?? 0;
  }

  set(tenant: TenantRecord, email: string, standing: ReadStanding): void {
    this.#entries.set(roleKey(tenant, email), { slug: tenant.slug, standing });
  }

  /** @param before only those whose read began before it */
  forget(slug: string, before = Number.POSITIVE_INFINITY): void {
    this.#entries.deleteWhere((entry) => entry.slug === slug && entry.standing.readAt < before);
  }
}

export function roleKey(tenant: TenantRecord, email: string): string {
  return `${tenant.instance_id} ${email}`;
}
