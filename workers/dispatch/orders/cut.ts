/** Makes a tenant's Worker close its connections, so that clients reconnect through the dispatch Worker. */
import { tenantScriptName } from "#domain/names/physical-name.ts";
import { gateRefusal } from "#domain/tenants/instance-state.ts";
import type { CutOutcome } from "#workers/contracts/invalidated.ts";
import { CUT_PATH, type CutOrder } from "#workers/contracts/tenant/internal.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import type { Settings } from "../env.ts";
import { WorkerMissing } from "../forward/worker-call.ts";
import type { Tenants } from "../tenants/tenants.ts";
import { notifyTenant } from "./platform-call.ts";

const TIMEOUT_MS = 10_000;

/** Also closes connections of frozen tenants. While the database is down, the gateway restarts only for the next user. */
export async function cutOff(
  slug: string,
  o: { settings: Settings; tenants: Tenants; dispatcher: DispatchNamespace; keepAlive: KeepAlive },
): Promise<CutOutcome> {
  const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } = o.settings;
  const found = await o.tenants.find(slug, async () => undefined, o.keepAlive).catch(() => undefined);
  const tenant = found?.tenant;
  const routable =
    tenant != null && gateRefusal(environment, tenant.client_status, tenant.instance_status) === undefined;
  const worker = tenantScriptName(slug, environment);
  try {
    const body: CutOrder = { routable };
    const call = { worker, domain, path: CUT_PATH, limitsOf: "enterprise", timeoutMs: TIMEOUT_MS, body } as const;
    await notifyTenant(o.dispatcher, call);
    return "done";
  } catch (error) {
    if (error instanceof WorkerMissing) return "no_worker";
    log("warn", "cut.failed", { worker, reason: reasonOf(error) });
    return "failed";
  }
}
