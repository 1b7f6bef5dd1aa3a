/** Checks repeatedly whether an open connection is still allowed. */
import type { Environment } from "#domain/environment.ts";
import { gateRefusal } from "#domain/tenants/instance-state.ts";
import type { Role } from "#workers/contracts/roles.ts";
import type { TenantRecord } from "#workers/contracts/tenant-entry.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import { DatabaseUnavailable } from "../tenants/database.ts";
import { STALE_LIMIT_MS, type Tenants } from "../tenants/tenants.ts";

/** While the database is down. */
const OUTAGE_RECHECK_MS = 15_000;

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
  /** Last successful check with fresh data, in milliseconds since the epoch. */
  #heldAt: number;

  /** @param o.user undefined on public paths, where only the gate counts */
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

  /** Milliseconds until the next check. */
  wait(): number {
    const freshUntil = this.#tenants.freshUntil(this.#tenant, this.#user?.email);
    return freshUntil > this.#now() ? freshUntil - this.#now() : OUTAGE_RECHECK_MS;
  }

  /**
   * Whether the tenant still passes the gate and the user still has the same role. While the database is down, the last result counts
   * for {@link STALE_LIMIT_MS}.
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
