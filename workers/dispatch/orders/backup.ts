/** `POST /_backup/:slug`: has a tenant's Worker back up what is there now, before its container is replaced. */
import type { Environment } from "#domain/environment.ts";
import { tenantScriptName } from "#domain/names/physical-name.ts";
import { BACKUP_PATH, BACKUP_TIMEOUT_MS } from "#workers/contracts/tenant/internal.ts";
import { WorkerMissing } from "../forward/worker-call.ts";
import { Refusal } from "../refusal.ts";
import { callTenant } from "./platform-call.ts";

/**
 * The answer of the tenant's Worker. Neither database nor cache is asked, so that frozen tenants are reached too, and tenants of a
 * platform whose database is down.
 *
 * @throws Refusal when there is no such Worker, or it does not answer in {@link BACKUP_TIMEOUT_MS}
 */
export async function backUp(
  slug: string,
  environment: Environment,
  domain: string,
  dispatcher: DispatchNamespace,
): Promise<Response> {
  const worker = tenantScriptName(slug, environment);
  try {
    // Some ten calls, and bytes by the gigabyte.
    const call = { worker, domain, path: BACKUP_PATH, limitsOf: "enterprise", timeoutMs: BACKUP_TIMEOUT_MS } as const;
    return await callTenant(dispatcher, call);
  } catch (error) {
    if (error instanceof WorkerMissing) throw new Refusal("tenant_not_found", "There is no such tenant.");
    throw new Refusal("gateway_unavailable", "The tenant's Worker did not answer.", undefined, error);
  }
}
