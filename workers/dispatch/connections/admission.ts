/** Checks repeatedly whether an open connection is still allowed. */
import type { Environment } from "#domain/environment.ts";
import { gateRefusal } from "#domain/tenants/instance-state.ts";
import type { TenantRecord } from "#workers/contracts/tenant-entry.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import { STALE_LIMIT_MS } from "../caching/entry-cache.ts";
import { type AdmittedUser, userOf } from "../identity/admitted.ts";
import { DatabaseUnavailable } from "../tenants/database.ts";
import type { Tenants } from "../tenants/tenants.ts";

/** While the database is down. */
const OUTAGE_RECHECK_MS = 15_000;

export interface Admission {
  /** Milliseconds until the next check. */
  wait(): number;
  /**
   * Whether the tenant still passes the gate and the user still has the same role. While the database is down, the last result counts
   * for {@link STALE_LIMIT_MS}.
   */
  holds(keepAlive: KeepAlive): Promise<boolean>;
}

/** @param o.user undefined on public paths, where only the gate counts */
export function createAdmission(o: {
  environment: Environment;
  tenants: Tenants;
  tenant: TenantRecord;
  user: Omit<AdmittedUser, "readAt"> | undefined;
  now?: () => number;
}): Admission {
  const { tenants, user, now = Date.now } = o;
  /** Last successful check with fresh data. */
  let heldAt = now();
  const caller = user?.service?.clientId ?? user?.email;
  const endsAt = user?.service?.expiresAt ?? Number.POSITIVE_INFINITY;
  const freshUntil = () => tenants.freshUntil(o.tenant, caller);

  async function stillHolds(keepAlive: KeepAlive): Promise<boolean> {
    const { tenant } = await tenants.find(o.tenant.slug, async () => caller, keepAlive);
    if (tenant?.instance_id !== o.tenant.instance_id) return false;
    if (gateRefusal(o.environment, tenant.client_status, tenant.instance_status)) return false;
    if (user === undefined || caller === undefined) return true;
    const standing = await tenants.standing(tenant, caller, keepAlive);
    if (user.service === undefined) return standing.role === user.role;
    const service = { expiresAt: user.service.expiresAt };
    const present = userOf({ email: caller, platform: false, service }, standing, now());
    return present?.role === user.role && present.email === user.email;
  }

  return {
    wait: () => Math.min(freshUntil() > now() ? freshUntil() - now() : OUTAGE_RECHECK_MS, Math.max(0, endsAt - now())),
    async holds(keepAlive) {
      if (now() >= endsAt) return false;
      try {
        if (!(await stillHolds(keepAlive))) return false;
        if (freshUntil() > now()) heldAt = now();
        return true;
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        return now() - heldAt < STALE_LIMIT_MS;
      }
    },
  };
}
