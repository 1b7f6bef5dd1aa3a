/** Paths that the dispatch Worker handles specially. */
import { CONSOLE_ENTRY } from "#domain/access/access-addresses.ts";
import { INTERNAL_PATH_PREFIX } from "#workers/contracts/tenant/internal.ts";

const INTERNAL_WORD = INTERNAL_PATH_PREFIX.slice(INTERNAL_PATH_PREFIX.lastIndexOf("/") + 1);
/** The platform's own requests, which require its token. */
const ORDERS = [
  { outcome: "invalidated", method: "GET", prefix: "/_invalidate/" },
  { outcome: "door_invalidated", method: "GET", prefix: "/_invalidate-door/" },
  { outcome: "backup_ordered", method: "POST", prefix: "/_backup/" },
  { outcome: "restart_ordered", method: "POST", prefix: "/_restart/" },
  { outcome: "sleep_ordered", method: "POST", prefix: "/_sleep/" },
  { outcome: "start_ordered", method: "POST", prefix: "/_start/" },
  { outcome: "backups_read", method: "GET", prefix: "/_backups/" },
  { outcome: "restore_ordered", method: "POST", prefix: "/_restore/", takesId: true },
  { outcome: "backup_read", method: "GET", prefix: "/_backup/", takesId: true },
  { outcome: "backup_uploaded", method: "POST", prefix: "/_backup-upload/" },
  { outcome: "backup_kept", method: "PUT", prefix: "/_backup/", takesId: true },
  { outcome: "backup_deleted", method: "DELETE", prefix: "/_backup/", takesId: true },
  { outcome: "backup_changes_read", method: "GET", prefix: "/_backup-changes/", takesId: true },
  { outcome: "files_read", method: "GET", prefix: "/_files/" },
  { outcome: "file_read", method: "GET", prefix: "/_file/" },
  { outcome: "file_downloaded", method: "GET", prefix: "/_file-download/" },
  { outcome: "file_written", method: "PUT", prefix: "/_file/" },
  { outcome: "log_read", method: "GET", prefix: "/_log/" },
  { outcome: "status_read", method: "GET", prefix: "/_status/" },
  { outcome: "doctor_ordered", method: "POST", prefix: "/_doctor/" },
  { outcome: "doctor_repair_ordered", method: "POST", prefix: "/_doctor-repair/" },
  { outcome: "doctor_read", method: "GET", prefix: "/_doctor/" },
  { outcome: "devices_read", method: "GET", prefix: "/_devices/" },
  { outcome: "device_changed", method: "POST", prefix: "/_devices/" },
  { outcome: "health_read", method: "GET", prefix: "/_health/" },
  { outcome: "channels_set", method: "PUT", prefix: "/_channels/" },
  { outcome: "provider_keys_set", method: "PUT", prefix: "/_provider-keys/" },
  { outcome: "provider_keys_read", method: "GET", prefix: "/_provider-keys/" },
  { outcome: "spending_cap_set", method: "PUT", prefix: "/_spending-cap/" },
  { outcome: "egress_set", method: "PUT", prefix: "/_egress/" },
  { outcome: "egress_read", method: "GET", prefix: "/_egress/" },
  { outcome: "model_calls_read", method: "GET", prefix: "/_model-calls/" },
  { outcome: "inbox_read", method: "GET", prefix: "/_inbox/" },
  { outcome: "inbox_replayed", method: "POST", prefix: "/_inbox-replay/" },
  { outcome: "inbox_dropped", method: "POST", prefix: "/_inbox-drop/" },
  { outcome: "inbox_exported", method: "GET", prefix: "/_inbox-export/" },
] as const;
/** The paths that need no login (spec: health document, "Authentication"). */
const HEALTH_PATHS: ReadonlySet<string> = new Set(["/api/health", "/api/health/ws"]);

export interface Order {
  /** As logged. */
  outcome: (typeof ORDERS)[number]["outcome"];
  /** Of `door_invalidated`, the hash of the door's key. */
  slug: string;
  id?: string;
}

export function orderOf(method: string, pathname: string): Order | undefined {
  if (!pathname.startsWith("/_")) return undefined;
  const order = ORDERS.find((candidate) => candidate.method === method && pathname.startsWith(candidate.prefix));
  if (order === undefined) return undefined;
  const rest = pathname.slice(order.prefix.length);
  if (!("takesId" in order)) return { outcome: order.outcome, slug: rest };
  const slug = rest.split("/", 1)[0] ?? "";
  if (slug === rest) return undefined;
  return { outcome: order.outcome, slug, id: rest.slice(slug.length + 1) };
}

export function isPublic(method: string, pathname: string): boolean {
  return (method === "GET" || method === "HEAD") && HEALTH_PATHS.has(pathname);
}

/** Whether the platform serves a path of a tenant's host itself. */
export function isConsole(pathname: string): boolean {
  return pathname.startsWith(CONSOLE_ENTRY) || `${pathname}/` === CONSOLE_ENTRY;
}

/** Whether a path is internal to a tenant Worker, in any encoding. */
export function isInternal(pathname: string): boolean {
  if (!pathname.includes("%") && !pathname.toLowerCase().includes(INTERNAL_WORD)) return false;
  const path = decoded(pathname).replaceAll("\\", "/").replaceAll(/\/+/g, "/").toLowerCase();
  // Decoding can reveal dot segments, which parsing resolves.
  const { pathname: plain } = new URL(`http://x${path.startsWith("/") ? "" : "/"}${path.replaceAll(/[?#]/g, "_")}`);
  return plain === INTERNAL_PATH_PREFIX || plain.startsWith(`${INTERNAL_PATH_PREFIX}/`);
}

function decoded(path: string): string {
  let text = path;
  // `decodeURIComponent` throws on a broken escape, which could hide a valid one beside it.
  const byte = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  for (let depth = 0; depth < 3 && text.includes("%"); depth += 1) text = text.replaceAll(/%([0-9a-f]{2})/gi, byte);
  return text;
}
