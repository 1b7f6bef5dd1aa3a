/** What the platform asks of a tenant's Worker on behalf of its operators, who are no users of the tenant. */
import { HEALTH_PATH } from "#domain/access/access-addresses.ts";
import type { Environment } from "#domain/environment.ts";
import { tenantScriptName } from "#domain/names/physical-name.ts";
import {
  ADMIN_BACKUPS_PATH,
  backupId,
  backupPath,
  dispatchedRestore,
  type RestoreOrder,
} from "#workers/contracts/tenant/backup.ts";
import { BACKUP_TIMEOUT_MS } from "#workers/contracts/tenant/internal.ts";
import { readBounded } from "#workers/shared/bounded-body.ts";
import { WorkerMissing } from "../forward/worker-call.ts";
import { Refusal } from "../refusal.ts";
import { callTenant } from "./platform-call.ts";

interface AdministrationCall {
  method: "GET" | "POST";
  path: string | ((id: string) => string);
  timeoutMs: number;
  /** What is sent, by the id and the order's own body. */
  body?: (id: string, given: unknown) => unknown;
}

/** Each order's call: as a root of the tenant, which the paths of administration need. */
const CALLS = {
  restart_ordered: { method: "POST", path: "/api/admin/gateway/restart", timeoutMs: 30_000 },
  // Activating: the gateway is started where it does not run.
  start_ordered: { method: "GET", path: HEALTH_PATH, timeoutMs: 30_000 },
  backups_read: { method: "GET", path: ADMIN_BACKUPS_PATH, timeoutMs: 15_000 },
  backup_read: { method: "GET", path: backupPath, timeoutMs: BACKUP_TIMEOUT_MS },
  restore_ordered: {
    method: "POST",
    path: "/api/admin/gateway/restore",
    timeoutMs: BACKUP_TIMEOUT_MS,
    body: restoreOf,
  },
  log_read: { method: "GET", path: "/api/admin/gateway/log", timeoutMs: 15_000 },
  status_read: { method: "GET", path: "/api/admin/gateway/status", timeoutMs: 10_000 },
  // Passive: a look starts nothing.
  health_read: { method: "GET", path: `${HEALTH_PATH}?passive=1`, timeoutMs: 10_000 },
} as const satisfies Record<string, AdministrationCall>;
export type Administration = keyof typeof CALLS;

/** Characters that the body of an order may have. */
const MAX_BODY = 1_000;

function idOf(id: string): string {
  const known = backupId.safeParse(id);
  if (!known.success) throw new Refusal("invalid_request", "Name a backup by its id, after the tenant's slug.");
  return known.data;
}

function restoreOf(id: string, given: unknown): RestoreOrder {
  const asked = dispatchedRestore.safeParse(given);
  if (!asked.success) throw new Refusal("invalid_request", 'Send { "discardPresent", "order" } as JSON, or nothing.');
  return { backup: idOf(id), ...asked.data };
}

/** The body as JSON: an empty object where there is none; what is too large or no JSON fits nothing. */
async function bodyOf(request: Request): Promise<unknown> {
  try {
    const text = new TextDecoder().decode(await readBounded(request, MAX_BODY));
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The answer of the tenant's Worker. Neither database nor cache is asked, as for a backup.
 *
 * @param about.id of what the order is about, where it takes one
 * @throws Refusal when there is no such Worker, the id or the body is none, or it does not answer in time
 */
export async function administer(
  order: Administration,
  { slug, id = "", request }: { slug: string; id?: string; request: Request },
  { environment, domain, dispatcher }: { environment: Environment; domain: string; dispatcher: DispatchNamespace },
): Promise<Response> {
  const worker = tenantScriptName(slug, environment);
  const { method, timeoutMs, path: place, body: bodyFor }: AdministrationCall = CALLS[order];
  const path = typeof place === "string" ? place : place(idOf(id));
  const body = bodyFor?.(id, await bodyOf(request));
  try {
    return await callTenant(dispatcher, {
      worker,
      domain,
      limitsOf: "enterprise",
      role: "ROOT",
      method,
      path,
      timeoutMs,
      body,
    });
  } catch (error) {
    if (error instanceof WorkerMissing) throw new Refusal("tenant_not_found", "There is no such tenant.");
    throw new Refusal("gateway_unavailable", "The tenant's Worker did not answer.", undefined, error);
  }
}
