/** What the platform asks of a tenant's Worker on behalf of its operators, who are no users of the tenant. */
import type { Environment } from "../../../domain/environment.ts";
import { tenantScriptName } from "../../../domain/physical-name.ts";
import { WorkerMissing } from "../forward/worker-call.ts";
import { Refusal } from "../refusal.ts";
import { callTenant } from "./platform-call.ts";

/** Each order's call: as a root of the tenant, which the paths of administration need. */
const CALLS = {
  restart_ordered: { method: "POST", path: "/api/admin/gateway/restart", timeoutMs: 30_000 },
  backups_read: { method: "GET", path: "/api/admin/gateway/backups", timeoutMs: 15_000 },
  log_read: { method: "GET", path: "/api/admin/gateway/log", timeoutMs: 15_000 },
  status_read: { method: "GET", path: "/api/admin/gateway/status", timeoutMs: 10_000 },
  // Passive: a look starts nothing.
  health_read: { method: "GET", path: "/api/health?passive=1", timeoutMs: 10_000 },
} as const;
export type Administration = keyof typeof CALLS;

/**
 * The answer of the tenant's Worker. Neither database nor cache is asked, as for a backup.
 *
 * @throws Refusal when there is no such Worker, or it does not answer in time
 */
export async function administer(
  order: Administration,
  slug: string,
  { environment, domain, dispatcher }: { environment: Environment; domain: string; dispatcher: DispatchNamespace },
): Promise<Response> {
  const worker = tenantScriptName(slug, environment);
  try {
    return await callTenant(dispatcher, { worker, domain, limitsOf: "enterprise", role: "ROOT", ...CALLS[order] });
  } catch (error) {
    if (error instanceof WorkerMissing) throw new Refusal("tenant_not_found", "There is no such tenant.");
    throw new Refusal("gateway_unavailable", "The tenant's Worker did not answer.", undefined, error);
  }
}
