/** Requests to a tenant's Worker on behalf of the platform's operators, who are not users of the tenant. */
import type * as z from "zod";
import { HEALTH_PATH } from "#domain/access/access-addresses.ts";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import { trafficErrors } from "#domain/errors/tenants/traffic.ts";
import { tenantScriptName } from "#domain/names/physical-name.ts";
import { REQUESTER_HEADER } from "#workers/contracts/platform-headers.ts";
import {
  ADMIN_BACKUPS_PATH,
  backupId,
  backupPath,
  changesPath,
  dispatchedRestore,
  keptOrder,
  keptPath,
  type RestoreOrder,
} from "#workers/contracts/tenant/backup.ts";
import { CHANNELS_PATH, type ChannelsOrder, sealedChannelsOrder } from "#workers/contracts/tenant/channels.ts";
import { DEVICES_PATH } from "#workers/contracts/tenant/devices.ts";
import { DOCTOR_PATH, DOCTOR_REPAIR_PATH } from "#workers/contracts/tenant/doctor.ts";
import { EGRESS_PATH, type EgressOrder, sealedEgressOrder } from "#workers/contracts/tenant/egress.ts";
import {
  FILE_DOWNLOAD_PATH,
  FILE_PATH,
  FILES_PATH,
  type FileOrder,
  fileOrder,
  fileQuery,
  MAX_TEXT_BYTES,
} from "#workers/contracts/tenant/files.ts";
import {
  INBOX_DROP_PATH,
  INBOX_EXPORT_PATH,
  INBOX_PATH,
  INBOX_REPLAY_PATH,
  type InboxSelection,
  inboxQuery,
  inboxSelection,
} from "#workers/contracts/tenant/inbox.ts";
import { BACKUP_PATH, BACKUP_TIMEOUT_MS } from "#workers/contracts/tenant/internal.ts";
import {
  PROVIDER_KEYS_PATH,
  type ProviderKeysOrder,
  sealedProviderKeysOrder,
} from "#workers/contracts/tenant/provider-keys.ts";
import { SLEEP_PATH, type SleepOrder, sleepOrder } from "#workers/contracts/tenant/sleep.ts";
import { SPENDING_CAP_PATH } from "#workers/contracts/tenant/spending-cap.ts";
import { bytesOfBase64 } from "#workers/shared/base64.ts";
import { readBounded } from "#workers/shared/bounded-body.ts";
import { openChannel } from "#workers/shared/doors/channel-credentials.ts";
import type { DoorKeys } from "#workers/shared/doors/door-secrets.ts";
import { openEgressSecret } from "#workers/shared/doors/egress-secret.ts";
import { openProviderKey } from "#workers/shared/doors/provider-key.ts";
import type { Settings } from "../env.ts";
import { WorkerMissing } from "../forward/worker-call.ts";
import { refusal } from "../refusal.ts";
import { callTenant } from "./platform-call.ts";

interface AdministrationCall {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string | ((id: string) => string);
  /** Query of the tenant's Worker. Default: none. */
  query?: (given: URLSearchParams) => Record<string, string | number | undefined>;
  timeoutMs: number;
  /** Default: `ROOT`, which administration paths require. */
  role?: undefined;
  body?: (id: string, given: unknown, settings: Settings) => unknown;
  /** Of the order's body. Default: {@link MAX_BODY_BYTES}. */
  maxBodyBytes?: number;
  /** Passes the order's body on as it arrives. */
  streams?: true;
  /** Whether Workers of version 0.1 lack the path. */
  isNew?: true;
}

const INBOX = { timeoutMs: 30_000, role: undefined, isNew: true } as const;
/** A selection names up to 200 messages. */
const INBOX_CHANGE = { ...INBOX, method: "POST", body: selectionOf, maxBodyBytes: 10_000 } as const;
/** Ends the gateway, and starts it again. */
const FILE_TIMEOUT_MS = 60_000;
const EXPORT_TIMEOUT_MS = 10 * 60 * 1000;

const CALLS = {
  backup_ordered: { method: "POST", path: BACKUP_PATH, timeoutMs: BACKUP_TIMEOUT_MS, role: undefined },
  restart_ordered: { method: "POST", path: "/api/admin/gateway/restart", timeoutMs: 30_000 },
  sleep_ordered: { method: "POST", path: SLEEP_PATH, timeoutMs: BACKUP_TIMEOUT_MS, body: sleepOf, isNew: true },
  start_ordered: { method: "GET", path: HEALTH_PATH, timeoutMs: 30_000 },
  backups_read: { method: "GET", path: ADMIN_BACKUPS_PATH, timeoutMs: 15_000 },
  backup_read: { method: "GET", path: backupPath, timeoutMs: BACKUP_TIMEOUT_MS },
  backup_uploaded: { method: "POST", path: ADMIN_BACKUPS_PATH, timeoutMs: BACKUP_TIMEOUT_MS, streams: true },
  backup_kept: { method: "PUT", path: keptPath, timeoutMs: 15_000, body: keptOf },
  backup_deleted: { method: "DELETE", path: backupPath, timeoutMs: 15_000 },
  backup_changes_read: { method: "GET", path: changesPath, timeoutMs: 15_000 },
  files_read: { method: "GET", path: FILES_PATH, timeoutMs: 15_000, query: fileQueryOf },
  file_read: { method: "GET", path: FILE_PATH, timeoutMs: 15_000, query: fileQueryOf },
  file_downloaded: { method: "GET", path: FILE_DOWNLOAD_PATH, timeoutMs: 30_000, query: fileQueryOf },
  file_written: {
    method: "PUT",
    path: FILE_PATH,
    timeoutMs: FILE_TIMEOUT_MS,
    body: fileOf,
    maxBodyBytes: 10 * MAX_TEXT_BYTES,
  },
  restore_ordered: {
    method: "POST",
    path: "/api/admin/gateway/restore",
    timeoutMs: BACKUP_TIMEOUT_MS,
    body: restoreOf,
  },
  log_read: { method: "GET", path: "/api/admin/gateway/log", timeoutMs: 15_000 },
  status_read: { method: "GET", path: "/api/admin/gateway/status", timeoutMs: 10_000 },
  doctor_ordered: { method: "POST", path: DOCTOR_PATH, timeoutMs: 30_000, isNew: true },
  doctor_repair_ordered: { method: "POST", path: DOCTOR_REPAIR_PATH, timeoutMs: 30_000, isNew: true },
  doctor_read: { method: "GET", path: DOCTOR_PATH, timeoutMs: 10_000, isNew: true },
  devices_read: { method: "GET", path: DEVICES_PATH, timeoutMs: 15_000, isNew: true },
  device_changed: { method: "POST", path: DEVICES_PATH, timeoutMs: 15_000, body: passedOn, isNew: true },
  health_read: { method: "GET", path: `${HEALTH_PATH}?passive=1`, timeoutMs: 10_000 },
  channels_set: {
    method: "PUT",
    path: CHANNELS_PATH,
    timeoutMs: 15_000,
    body: channelsOf,
    maxBodyBytes: 30_000,
    isNew: true,
  },
  provider_keys_set: {
    method: "PUT",
    path: PROVIDER_KEYS_PATH,
    timeoutMs: 15_000,
    body: providerKeysOf,
    maxBodyBytes: 30_000,
    isNew: true,
  },
  provider_keys_read: { method: "GET", path: PROVIDER_KEYS_PATH, timeoutMs: 10_000, isNew: true },
  spending_cap_set: {
    method: "PUT",
    path: SPENDING_CAP_PATH,
    timeoutMs: 15_000,
    body: passedOn,
    maxBodyBytes: 10_000,
    isNew: true,
  },
  egress_set: {
    method: "PUT",
    path: EGRESS_PATH,
    timeoutMs: 15_000,
    body: egressOf,
    maxBodyBytes: 1_000_000,
    isNew: true,
  },
  egress_read: { method: "GET", path: EGRESS_PATH, timeoutMs: 10_000, isNew: true },
  inbox_read: { ...INBOX, method: "GET", path: INBOX_PATH, query: inboxQueryOf },
  inbox_replayed: { ...INBOX_CHANGE, path: INBOX_REPLAY_PATH },
  inbox_dropped: { ...INBOX_CHANGE, path: INBOX_DROP_PATH },
  inbox_exported: {
    ...INBOX,
    method: "GET",
    path: INBOX_EXPORT_PATH,
    query: exportQueryOf,
    timeoutMs: EXPORT_TIMEOUT_MS,
  },
} as const satisfies Record<string, AdministrationCall>;

const MAX_BODY_BYTES = 1_000;

/** @throws Refusal `invalid` for what the schema rejects */
function parse<T>(schema: z.ZodType<T>, given: unknown, invalid: Parameters<typeof refusal>[0]): T {
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw refusal(invalid);
  return parsed.data;
}

function parseId(id: string): string {
  return parse(backupId, id, trafficErrors.backup_id_invalid);
}

function restoreOf(id: string, given: unknown): RestoreOrder {
  const order = parse(dispatchedRestore, given, trafficErrors.dispatch_restore_order_invalid);
  return { backup: parseId(id), ...order };
}

function keptOf(_: string, given: unknown) {
  return parse(keptOrder, given, trafficErrors.dispatch_kept_order_invalid);
}

function fileOf(_: string, given: unknown): FileOrder {
  return parse(fileOrder, given, trafficErrors.dispatch_file_order_invalid);
}

function fileQueryOf(given: URLSearchParams) {
  return parse(fileQuery, Object.fromEntries(given), trafficErrors.dispatch_file_query_invalid);
}

/** The tenant's Worker checks it. */
function passedOn(_: string, given: unknown): unknown {
  return given;
}

function sleepOf(_: string, given: unknown): SleepOrder {
  return parse(sleepOrder, given, trafficErrors.dispatch_sleep_order_invalid);
}

function inboxQueryOf(given: URLSearchParams) {
  return parse(inboxQuery, Object.fromEntries(given), trafficErrors.dispatch_inbox_query_invalid);
}

function exportQueryOf(given: URLSearchParams) {
  return { state: inboxQueryOf(given).state };
}

function selectionOf(_: string, given: unknown): InboxSelection {
  return parse(inboxSelection, given, trafficErrors.dispatch_inbox_selection_invalid);
}

/** Decrypts what an order has encrypted. @throws Refusal `unreadable`, with the ID of the first part that cannot be decrypted */
function openAll<T>(
  sealed: readonly { id: string; credentials: string }[],
  { DOORS_KEY: used, OTHER_DOORS_KEY: other }: Settings,
  open: (keys: DoorKeys, id: string, bytes: Uint8Array) => Promise<T>,
  unreadable: Parameters<typeof refusal>[0],
): Promise<T[]> {
  const opened = sealed.map(({ id, credentials }) =>
    open({ used, other }, id, bytesOfBase64(credentials)).catch((cause: unknown) => {
      throw refusal(unreadable, { id }, { cause });
    }),
  );
  return Promise.all(opened);
}

/** Decrypts channels. The tenant's Worker checks any other body. */
async function channelsOf(_: string, given: unknown, settings: Settings): Promise<unknown> {
  const { data } = sealedChannelsOrder.safeParse(given);
  if (data === undefined) return given;
  const channels = await openAll(data.sealed, settings, openChannel, trafficErrors.dispatch_channel_unreadable);
  return { channels } satisfies ChannelsOrder;
}

/** Decrypts provider keys. The tenant's Worker checks any other body. */
async function providerKeysOf(_: string, given: unknown, settings: Settings): Promise<unknown> {
  const { data } = sealedProviderKeysOrder.safeParse(given);
  if (data === undefined) return given;
  const open = async (keys: DoorKeys, id: string, bytes: Uint8Array) => ({
    id,
    ...(await openProviderKey(keys, id, bytes)),
  });
  const keys = await openAll(data.sealed, settings, open, trafficErrors.dispatch_provider_key_unreadable);
  return { keys } satisfies ProviderKeysOrder;
}

/** Decrypts egress secrets. The tenant's Worker checks any other body. */
async function egressOf(_: string, given: unknown, settings: Settings): Promise<unknown> {
  const { data } = sealedEgressOrder.safeParse(given);
  if (data === undefined) return given;
  const { sealed, ...policies } = data;
  const open = async (keys: DoorKeys, id: string, bytes: Uint8Array) => ({
    id,
    ...(await openEgressSecret(keys, id, bytes)),
  });
  const secrets = await openAll(sealed, settings, open, trafficErrors.dispatch_egress_secret_unreadable);
  return { ...policies, secrets } satisfies EgressOrder;
}

/** @returns the JSON, an empty object for an empty body, and undefined for an invalid or too large one */
async function readJson(request: Request, limit: number): Promise<unknown> {
  try {
    const text = new TextDecoder().decode(await readBounded(request, limit));
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the response of the tenant's Worker. Uses neither database nor cache, so it also reaches frozen tenants and works while the
 * database is down.
 *
 * @throws Refusal when the Worker does not exist or times out, or when id or body are invalid
 */
export async function administer(
  order: keyof typeof CALLS,
  { slug, id = "", request }: { slug: string; id?: string; request: Request },
  settings: Settings,
  dispatcher: DispatchNamespace,
): Promise<Response> {
  const { ENVIRONMENT: environment, PLATFORM_DOMAIN: domain } = settings;
  const call: AdministrationCall = CALLS[order];
  const query = call.query?.(new URL(request.url).searchParams);
  const path = (typeof call.path === "string" ? call.path : call.path(parseId(id))) + searchOf(query);
  const given = call.streams ? undefined : await readJson(request, call.maxBodyBytes ?? MAX_BODY_BYTES);
  const body = await call.body?.(id, given, settings);
  const worker = tenantScriptName(slug, environment);
  let response: Response;
  try {
    response = await callTenant(dispatcher, {
      role: "ROOT",
      ...call,
      worker,
      domain,
      limitsOf: "enterprise",
      path,
      body,
      requester: request.headers.get(REQUESTER_HEADER),
      ...(call.streams && { stream: request }),
    });
  } catch (error) {
    if (error instanceof WorkerMissing) throw refusal(trafficErrors.tenant_worker_missing);
    throw refusal(trafficErrors.tenant_worker_no_response, {}, { cause: error });
  }
  if (call.isNew !== true || response.status !== 404) return response;
  await response.body?.cancel();
  throw refusal(instanceErrors.tenant_without_order);
}

function searchOf(query: Record<string, string | number | undefined> = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}
