/** By what right a connection is open, looked at again for as long as it is. */

import type { Environment } from "#domain/environment.ts";
import { gateRefusal } from "#domain/tenants/instance-state.ts";
import type { Role } from "#workers/contracts/roles.ts";
import type { TenantRecord } from "#workers/contracts/tenant-entry.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import { DatabaseUnavailable } from "../tenants/database.ts";
import { STALE_LIMIT_MS, type Tenants } from "../tenants/tenants.ts";

/** How soon an outage's end is noticed by what is open. */
const OUTAGE_RECHECK_MS = 15_000;

/** Who was let in, and as what. */
export interface AdmittedUser {
  email: string;
  role: Role;
}

export class Admission {
  readonly #environment: Environment;
  readonly #tenants: Tenants;
  readonly #tenant: TenantRecord;
  readonly #user: AdmittedUser | undefined;
  readonly #now: () => number;
  /** When right and gate were last known to hold, in milliseconds since the epoch. */
  #heldAt: number;

  /** @param o.user left out for who needs no log-in, for whom the gate alone counts */
  constructor(o: {
    environment: Environment;
    tenants: Tenants;
    tenant: TenantRecord;
    user: AdmittedUser | undefined;
    now?: () => number;
  }) {
    this.#environment = o.environment;
    this.#tenants = o.tenants;
    this.#tenant = o.tenant;
    this.#user = o.user;
    this.#now = o.now ?? Date.now;
    this.#heldAt = this.#now();
  }

  /** Milliseconds until what is known of tenant and role has to be read again. */
  wait(): number {
    const freshUntil = this.#tenants.freshUntil(this.#tenant, this.#user?.email);
    return freshUntil > this.#now() ? freshUntil - this.#now() : OUTAGE_RECHECK_MS;
  }

  /**
   * Whether the connection may stay open, by the same caches that let it in: what many ask together is asked once. It may as long as
   * the tenant passes the gate and the user has the role it was opened with; and while the database is down, until that was last known
   * {@link STALE_LIMIT_MS} ago.
   */
  async holds(keepAlive: KeepAlive): Promise<boolean> {
    try {
      if (!(await this.#stillHolds(keepAlive))) return false;
      if (this.#tenants.freshUntil(this.#tenant, this.#user?.email) > this.#now()) this.#heldAt = this.#now();
      return true;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      return this.#now() - this.#heldAt < STALE_LIMIT_MS;
    }
  }

  async #stillHolds(keepAlive: KeepAlive): Promise<boolean> {
    const user = this.#user;
    const { tenant } = await this.#tenants.find(this.#tenant.slug, async () => user?.email, keepAlive);
    if (tenant?.instance_id !== this.#tenant.instance_id) return false;
    if (gateRefusal(this.#environment, tenant.client_status, tenant.instance_status)) return false;
    return user === undefined || (await this.#tenants.role(tenant, user.email, keepAlive)) === user.role;
  }
}
