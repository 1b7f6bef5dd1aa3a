/** Has a tenant's Worker end what is open at it, so that everyone passes the dispatch Worker again. */

import { tenantScriptName } from "#domain/names/physical-name.ts";
import { gateRefusal } from "#domain/tenants/instance-state.ts";
import type { CutOutcome } from "#workers/contracts/invalidated.ts";
import { CUT_PATH, type CutOrder } from "#workers/contracts/tenant/internal.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import type { KeepAlive } from "#workers/shared/single-flight.ts";
import type { Settings } from "../env.ts";
import { WorkerMissing } from "../forward/worker-call.ts";
import type { Tenants } from "../tenants/tenants.ts";
import { callTenant } from "./platform-call.ts";

const TIMEOUT_MS = 10_000;

/**
 * Cuts whoever is connected to a tenant, frozen ones too: the database says only whether its gateway may be started again.
 * When it does not answer, nothing starts the gateway until a user comes.
 */
export async function cutOff(
  slug: string,
  o: { settings: Settings; tenants: Tenants; dispatcher: DispatchNamespace; keepAlive: KeepAlive },
): Promise<CutOutcome> {
  const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } = o.settings;
  const found = await o.tenants.find(slug, async () => undefined, o.keepAlive).catch(() => undefined);
  const tenant = found?.tenant;
  const routable = tenant
    ? gateRefusal(environment, tenant.client_status, tenant.instance_status) === undefined
    : false;
  const worker = tenantScriptName(slug, environment);
  try {
    const body: CutOrder = { routable };
    const call = { worker, domain, path: CUT_PATH, limitsOf: "enterprise", timeoutMs: TIMEOUT_MS, body } as const;
    const response = await callTenant(o.dispatcher, call);
    await response.body?.cancel();
    if (response.ok) return "done";
    throw new Error(`status ${response.status}`);
  } catch (error) {
    if (error instanceof WorkerMissing) return "no_worker";
    log("warn", "cut.failed", { worker, reason: reasonOf(error) });
    return "failed";
  }
}
