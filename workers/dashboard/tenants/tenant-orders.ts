import * as z from "zod";
import { instanceErrors } from "#domain/errors/api/instances.ts";
import { serviceErrors } from "#domain/errors/api/service.ts";
import { backupErrors } from "#domain/errors/tenants/backups.ts";
import { deviceErrors } from "#domain/errors/tenants/devices.ts";
import { fileErrors } from "#domain/errors/tenants/files.ts";
import { trafficErrors } from "#domain/errors/tenants/traffic.ts";
import { workerErrors } from "#domain/errors/tenants/worker.ts";
import { type CallPage, type CallQuery, callPage } from "#workers/contracts/api/model-call-log.ts";
import { type ErrorBody, errorBody } from "#workers/contracts/errors.ts";
import { encodeJson, REQUESTER_HEADER } from "#workers/contracts/platform-headers.ts";
import {
  type BackupManifest,
  type BackupReport,
  backupManifest,
  backupReport,
  type ChangesSince,
  changesSince,
  keptOrder,
  type Requester,
} from "#workers/contracts/tenant/backup.ts";
import {
  type ChangedDevice,
  changedDevice,
  type DeviceChange,
  type DeviceList,
  deviceList,
} from "#workers/contracts/tenant/devices.ts";
import { type DoctorReport, doctorReport } from "#workers/contracts/tenant/doctor.ts";
import { type EgressReport, egressReport } from "#workers/contracts/tenant/egress.ts";
import {
  type FileList,
  type FileOrder,
  fileList,
  type TextFile,
  textFile,
  type WrittenFile,
  writtenFile,
} from "#workers/contracts/tenant/files.ts";
import { type HealthSnapshot, healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import {
  type InboxChange,
  type InboxPage,
  type InboxQuery,
  type InboxSelection,
  inboxChange,
  inboxPage,
  type MessageState,
} from "#workers/contracts/tenant/inbox.ts";
import { type SandboxStatus, sandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import { type SleepOrder, sleepAnswered } from "#workers/contracts/tenant/sleep.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import { Failure, failure } from "../http/failure.tsx";

/** Short, so that a page shows stored data without the probe. */
const PROBE_MS = 5_000;
const ORDER_MS = 35_000;
/** A backup takes up to twelve minutes, and continues after a timeout. */
const BACKUP_MS = 13 * 60_000;

/** Ends the gateway, and starts it again. */
const SAVE_MS = 65_000;

/** Errors that say all that the caller needs. */
const OWN_REASONS: ReadonlySet<string> = new Set(
  [
    ...Object.values(deviceErrors),
    ...Object.values(fileErrors),
    ...[backupErrors.upload_incomplete, backupErrors.upload_invalid, backupErrors.upload_too_large],
    backupErrors.upload_without_length,
  ].map(({ reason }) => reason),
);

const logLines = z.object({ lines: z.array(z.string()) });

export interface TenantOrdersSettings {
  DISPATCH_URL?: string | undefined;
  INVALIDATE_TOKEN?: string | undefined;
}

/** Requests to tenants' Workers, through the dispatch Worker with the platform's token. All methods throw a Failure. */
export class TenantOrders {
  readonly #url: string | undefined;
  readonly #token: string | undefined;

  constructor({ DISPATCH_URL, INVALIDATE_TOKEN }: TenantOrdersSettings) {
    this.#url = DISPATCH_URL;
    this.#token = INVALIDATE_TOKEN;
  }

  /** A passive probe of the gateway. */
  async health(slug: string): Promise<HealthSnapshot> {
    return this.#parse(healthSnapshot, await this.#request("GET", `_health/${slug}`, PROBE_MS));
  }

  async status(slug: string): Promise<SandboxStatus> {
    return this.#parse(sandboxStatus, await this.#request("GET", `_status/${slug}`, PROBE_MS));
  }

  async restart(slug: string): Promise<void> {
    await (await this.#request("POST", `_restart/${slug}`, ORDER_MS)).body?.cancel();
  }

  /** Starts the gateway, unless it runs. Does not wait until it has started. */
  async wake(slug: string): Promise<"awake" | "starting"> {
    const { status } = await this.#parse(healthSnapshot, await this.#request("POST", `_start/${slug}`, ORDER_MS));
    return status === "running" ? "awake" : "starting";
  }

  /** The report of the gateway's doctor. */
  async doctor(slug: string): Promise<DoctorReport> {
    return this.#parse(doctorReport, await this.#request("GET", `_doctor/${slug}`, ORDER_MS));
  }

  /** Starts the gateway's doctor, or joins its run. @throws Failure `conflict` while the container sleeps */
  async runDoctor(slug: string): Promise<DoctorReport> {
    return this.#parse(doctorReport, await this.#request("POST", `_doctor/${slug}`, ORDER_MS));
  }

  /** @throws Failure `conflict` while the container sleeps, or the doctor checks */
  async repairByDoctor(slug: string, by: Requester): Promise<DoctorReport> {
    return this.#parse(doctorReport, await this.#request("POST", `_doctor-repair/${slug}`, ORDER_MS, { by }));
  }

  /** Devices that are paired in the gateway. @throws Failure `conflict` while it does not run, or its image cannot list them */
  async devices(slug: string): Promise<DeviceList> {
    return this.#parse(deviceList, await this.#request("GET", `_devices/${slug}`, ORDER_MS));
  }

  /** @throws Failure `device_not_found` if it was changed meanwhile */
  async changeDevice(slug: string, change: DeviceChange): Promise<ChangedDevice> {
    return this.#parse(changedDevice, await this.#request("POST", `_devices/${slug}`, ORDER_MS, { body: change }));
  }

  /** Drops the dispatch Worker's caches of a tenant, and ends its connections, so that only permitted callers reconnect. */
  async forget(slug: string): Promise<void> {
    await (await this.#request("GET", `_invalidate/${slug}`, ORDER_MS)).body?.cancel();
  }

  /** @returns when it wakes for a job or by this order, if known @throws Failure `conflict` if it must stay awake */
  async sleep(slug: string, order: SleepOrder): Promise<string | undefined> {
    const response = await this.#request("POST", `_sleep/${slug}`, BACKUP_MS, { body: order });
    return (await this.#parse(sleepAnswered, response)).wakesAt;
  }

  /** @returns the backup; `undefined` without a state. @throws Failure `conflict` if the state must not be backed up */
  async backUp(slug: string, by: Requester): Promise<{ id: string; createdAt: string; bytes: number } | undefined> {
    const response = await this.#request("POST", `_backup/${slug}`, BACKUP_MS, { by });
    if (response.status === 204) return undefined;
    const { id, createdAt, archive } = await this.#parse(backupManifest, response);
    return { id, createdAt, bytes: archive.size };
  }

  async backups(slug: string): Promise<BackupReport> {
    return this.#parse(backupReport, await this.#request("GET", `_backups/${slug}`, ORDER_MS));
  }

  /** Streams a backup's archive. @throws Failure `not_found`, or `conflict` for a damaged backup */
  async backup(slug: string, id: string): Promise<Response> {
    return this.#request("GET", `_backup/${slug}/${id}`, BACKUP_MS);
  }

  /** Streams a file to the tenant, which checks it. */
  async uploadBackup(slug: string, file: ReadableStream<Uint8Array>, by: Requester): Promise<BackupManifest> {
    return this.#parse(backupManifest, await this.#request("POST", `_backup-upload/${slug}`, BACKUP_MS, { file, by }));
  }

  async deleteBackup(slug: string, id: string): Promise<void> {
    await (await this.#request("DELETE", `_backup/${slug}/${id}`, ORDER_MS)).body?.cancel();
  }

  async keepBackup(slug: string, id: string, kept: boolean): Promise<{ kept: boolean }> {
    return this.#parse(keptOrder, await this.#request("PUT", `_backup/${slug}/${id}`, ORDER_MS, { body: { kept } }));
  }

  async backupChanges(slug: string, id: string): Promise<ChangesSince> {
    return this.#parse(changesSince, await this.#request("GET", `_backup-changes/${slug}/${id}`, ORDER_MS));
  }

  async files(slug: string, path: string): Promise<FileList> {
    return this.#parse(fileList, await this.#request("GET", `_files/${slug}${searchOf({ path })}`, ORDER_MS));
  }

  async file(slug: string, path: string): Promise<TextFile> {
    return this.#parse(textFile, await this.#request("GET", `_file/${slug}${searchOf({ path })}`, ORDER_MS));
  }

  /** @throws Failure `conflict` if the file was changed meanwhile */
  async saveFile(slug: string, order: FileOrder): Promise<WrittenFile> {
    return this.#parse(writtenFile, await this.#request("PUT", `_file/${slug}`, SAVE_MS, { body: order }));
  }

  async fileDownload(slug: string, path: string): Promise<Response> {
    return this.#request("GET", `_file-download/${slug}${searchOf({ path })}`, ORDER_MS);
  }

  async log(slug: string): Promise<string[]> {
    return (await this.#parse(logLines, await this.#request("GET", `_log/${slug}`, ORDER_MS))).lines;
  }

  /** What the container reached, by the policies that its Worker has. */
  async egress(slug: string): Promise<EgressReport> {
    return this.#parse(egressReport, await this.#request("GET", `_egress/${slug}`, ORDER_MS));
  }

  async inbox(slug: string, query: Partial<InboxQuery>): Promise<InboxPage> {
    const path = `_inbox/${slug}${searchOf({ ...query, limit: query.limit?.toString() })}`;
    return this.#parse(inboxPage, await this.#request("GET", path, ORDER_MS));
  }

  /** A page of the tenant's calls in the log of its AI gateway, which only the dispatch Worker can read. */
  async modelCalls(slug: string, query: Omit<CallQuery, "limit"> & { limit: number }): Promise<CallPage> {
    const path = `_model-calls/${slug}${searchOf({ ...query, limit: String(query.limit) })}`;
    return this.#parse(callPage, await this.#request("GET", path, ORDER_MS));
  }

  async changeInbox(slug: string, change: "replay" | "drop", selection: InboxSelection): Promise<InboxChange> {
    return this.#parse(
      inboxChange,
      await this.#request("POST", `_inbox-${change}/${slug}`, ORDER_MS, { body: selection }),
    );
  }

  /** Streams messages with their content as JSON lines. */
  async exportedInbox(slug: string, state: MessageState | undefined): Promise<Response> {
    return this.#request("GET", `_inbox-export/${slug}${searchOf({ state })}`, BACKUP_MS);
  }

  async #request(
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    timeoutMs: number,
    { body, by, file }: { body?: object; by?: Requester; file?: ReadableStream<Uint8Array> } = {},
  ): Promise<Response> {
    if (this.#url === undefined || this.#token === undefined) {
      throw failure(instanceErrors.dispatch_address_missing);
    }
    let response: Response;
    try {
      response = await fetch(`${this.#url}/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          accept: "application/json",
          ...(by && { [REQUESTER_HEADER]: encodeJson(by) }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // The body of a request has a length, and the passed one has the same.
        ...(file && { body: file }),
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (error) {
      log("warn", "tenant-order.failed", { reason: reasonOf(error) });
      throw failure(instanceErrors.tenant_not_responding);
    }
    if (response.ok) return response;
    const refusal = errorBody.safeParse(await response.json().catch(() => undefined)).data?.error;
    throw refusalOf(response.status, refusal);
  }

  async #parse<T>(shape: z.ZodType<T>, response: Response): Promise<T> {
    const parsed = shape.safeParse(await response.json().catch(() => undefined));
    if (parsed.success) return parsed.data;
    log("error", "tenant-order.unreadable", { status: response.status });
    throw failure(instanceErrors.tenant_response_unknown);
  }
}

function searchOf(query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

/** Maps an error response to a failure. */
function refusalOf(status: number, refusal: ErrorBody["error"] | undefined): Failure {
  const code = refusal?.code;
  if (code === "tenant_not_found") return failure(instanceErrors.tenant_without_worker);
  const { administration_path_not_found, internal_path_not_found, method_not_supported } = workerErrors;
  const unknown = [administration_path_not_found, internal_path_not_found, method_not_supported];
  if (unknown.map(({ reason }) => reason).some((one) => one === refusal?.reason)) {
    return failure(instanceErrors.tenant_without_order);
  }
  const isOwn = refusal?.reason !== undefined && OWN_REASONS.has(refusal.reason);
  if (code !== undefined && refusal?.reason !== undefined && isOwn)
    return new Failure({ code, reason: refusal.reason, message: refusal.message });
  if (refusal?.reason === trafficErrors.call_log_not_readable.reason)
    return failure(serviceErrors.call_log_not_available);
  if (code === "not_found") return failure(instanceErrors.backup_not_listed);
  // A tenant Worker of an earlier version sends no reason.
  if (refusal?.code === "conflict") {
    const { code, reason = instanceErrors.refused_by_tenant.reason, message } = refusal;
    return new Failure({ code, reason, message });
  }
  log("warn", "tenant-order.refused", { status, code });
  if (status === 401) return failure(instanceErrors.dispatch_token_rejected);
  return failure(instanceErrors.tenant_not_responding);
}
