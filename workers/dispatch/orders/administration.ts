/** What the platform asks of a tenant's Worker on behalf of its operators, who are no users of the tenant. */
import { HEALTH_PATH } from "../../../domain/access/access-addresses.ts";
import type { Environment } from "../../../domain/environment.ts";
import { tenantScriptName } from "../../../domain/physical-name.ts";
import { ADMIN_BACKUPS_PATH, backupId, backupPath } from "../../contracts/backup.ts";
import { BACKUP_TIMEOUT_MS } from "../../contracts/internal.ts";
import { WorkerMissing } from "../forward/worker-call.ts";
import { Refusal } from "../refusal.ts";
import { callTenant } from "./platform-call.ts";

interface AdministrationCall {
  method: "GET" | "POST";
  path: string | ((id: string) => string);
  timeoutMs: number;
}

/** Each order's call: as a root of the tenant, which the paths of administration need. */
const CALLS = {
  restart_ordered: { method: "POST", path: "/api/admin/gateway/restart", timeoutMs: 30_000 },
  // Activating: the gateway is started where it does not run.
  start_ordered: { method: "GET", path: HEALTH_PATH, timeoutMs: 30_000 },
  backups_read: { method: "GET", path: ADMIN_BACKUPS_PATH, timeoutMs: 15_000 },
  backup_read: { method: "GET", path: backupPath, timeoutMs: BACKUP_TIMEOUT_MS },
  log_read: { method: "GET", path: "/api/admin/gateway/log", timeoutMs: 15_000 },
  status_read: { method: "GET", path: "/api/admin/gateway/status", timeoutMs: 10_000 },
  // Passive: a look starts nothing.
  health_read: { method: "GET", path: `${HEALTH_PATH}?passive=1`, timeoutMs: 10_000 },
} as const satisfies Record<string, AdministrationCall>;
export type Administration = keyof typeof CALLS;

function pathOf({ path }: AdministrationCall, id: string): string {
  if (typeof path === "string") return path;
  const known = backupId.safeParse(id);
  if (!known.success) throw new Refusal("invalid_request", "Name a backup by its id: /_backup/{slug}/{id}.");
  return path(known.data);
}

/**
 * The answer of the tenant's Worker. Neither database nor cache is asked, as for a backup.
 *
 * @param about.id of what the order is about, where it takes one
 * @throws Refusal when there is no such Worker, the id is none, or it does not answer in time
 */
export async function administer(
  order: Administration,
  { slug, id = "" }: { slug: string; id?: string },
  { environment, domain, dispatcher }: { environment: Environment; domain: string; dispatcher: DispatchNamespace },
): Promise<Response> {
  const worker = tenantScriptName(slug, environment);
  const { method, timeoutMs } = CALLS[order];
  const path = pathOf(CALLS[order], id);
  try {
    return await callTenant(dispatcher, {
      worker,
      domain,
      limitsOf: "enterprise",
      role: "ROOT",
      method,
      path,
      timeoutMs,
    });
  } catch (error) {
    if (error instanceof WorkerMissing) throw new Refusal("tenant_not_found", "There is no such tenant.");
    throw new Refusal("gateway_unavailable", "The tenant's Worker did not answer.", undefined, error);
  }
}
