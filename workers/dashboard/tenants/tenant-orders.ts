/**
 * What the dashboard asks of tenants' Workers, by way of the dispatch Worker and with the platform's token. It is a convenience: all
 * else the dashboard does works without.
 */
import * as z from "zod";
import { type ErrorCode, errorBody } from "#workers/contracts/errors.ts";
import { type BackupReport, backupManifest, backupReport } from "#workers/contracts/tenant/backup.ts";
import { type HealthSnapshot, healthSnapshot } from "#workers/contracts/tenant/health-snapshot.ts";
import { type SandboxStatus, sandboxStatus } from "#workers/contracts/tenant/sandbox-status.ts";
import { log, reasonOf } from "#workers/shared/log.ts";
import type { Settings } from "../env.ts";
import { Failure } from "../http/failure.tsx";

/** A look is not waited for longer, so that a page shows what is known without it. */
const LOOK_MS = 5_000;
const ORDER_MS = 35_000;
/** A backup may take twelve minutes, and ends whether it is waited for or not. */
const BACKUP_MS = 13 * 60_000;

const logLines = z.object({ lines: z.array(z.string()) });

export class TenantOrders {
  readonly #url: string | undefined;
  readonly #token: string | undefined;

  constructor({ DISPATCH_URL, INVALIDATE_TOKEN }: Pick<Settings, "DISPATCH_URL" | "INVALIDATE_TOKEN">) {
    this.#url = DISPATCH_URL;
    this.#token = INVALIDATE_TOKEN;
  }

  /** A passive look at the gateway. @throws Failure when nobody could look */
  async health(slug: string): Promise<HealthSnapshot> {
    return this.#answer(healthSnapshot, await this.#call("GET", `_health/${slug}`, LOOK_MS));
  }

  /** @throws Failure */
  async status(slug: string): Promise<SandboxStatus> {
    return this.#answer(sandboxStatus, await this.#call("GET", `_status/${slug}`, LOOK_MS));
  }

  /** @throws Failure */
  async restart(slug: string): Promise<void> {
    await (await this.#call("POST", `_restart/${slug}`, ORDER_MS)).body?.cancel();
  }

  /** @returns the backup; undefined when there is no state to back up. @throws Failure, `conflict` when the state may not be */
  async backUp(slug: string): Promise<{ id: string; createdAt: string; bytes: number } | undefined> {
    const response = await this.#call("POST", `_backup/${slug}`, BACKUP_MS);
    if (response.status === 204) return undefined;
    const { id, createdAt, archive } = await this.#answer(backupManifest, response);
    return { id, createdAt, bytes: archive.size };
  }

  /** @throws Failure */
  async backups(slug: string): Promise<BackupReport> {
    return this.#answer(backupReport, await this.#call("GET", `_backups/${slug}`, ORDER_MS));
  }

  /** A backup's archive, as it comes. @throws Failure, `not_found` when there is no such backup, `conflict` when it is damaged */
  async backup(slug: string, id: string): Promise<Response> {
    return this.#call("GET", `_backup/${slug}/${id}`, BACKUP_MS);
  }

  /** @throws Failure */
  async log(slug: string): Promise<string[]> {
    return (await this.#answer(logLines, await this.#call("GET", `_log/${slug}`, ORDER_MS))).lines;
  }

  async #call(method: "GET" | "POST", path: string, timeoutMs: number): Promise<Response> {
    if (this.#url === undefined || this.#token === undefined) {
      throw new Failure(
        "tenant_unavailable",
        "This dashboard was given no way to the dispatch Worker; deploy the platform again to give it one.",
      );
    }
    let response: Response;
    try {
      response = await fetch(`${this.#url}/${path}`, {
        method,
        headers: { authorization: `Bearer ${this.#token}`, accept: "application/json" },
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (error) {
      log("warn", "tenant-order.failed", { reason: reasonOf(error) });
      throw new Failure("gateway_unavailable", "The tenant does not answer just now; try again in a moment.");
    }
    if (response.ok) return response;
    const refusal = errorBody.safeParse(await response.json().catch(() => undefined)).data?.error;
    throw refusalOf(response.status, refusal?.code, refusal?.message ?? "");
  }

  async #answer<T>(shape: z.ZodType<T>, response: Response): Promise<T> {
    const parsed = shape.safeParse(await response.json().catch(() => undefined));
    if (parsed.success) return parsed.data;
    log("error", "tenant-order.unreadable", { status: response.status });
    throw new Failure("gateway_unavailable", "The tenant answered what the platform does not know; deploy it again.");
  }
}

/** What a refusal on the way means to the dashboard's caller. */
function refusalOf(status: number, code: ErrorCode | undefined, message: string): Failure {
  if (code === "tenant_not_found") return new Failure("conflict", "The tenant has no Worker yet; provision it first.");
  if (code === "not_found")
    return new Failure("not_found", "There is no such backup; the instance's list names those there are.");
  if (code === "conflict") return new Failure("conflict", message);
  log("warn", "tenant-order.refused", { status, code });
  if (status === 401) {
    return new Failure(
      "tenant_unavailable",
      "The dispatch Worker does not take the dashboard's token; deploy the platform again.",
    );
  }
  return new Failure("gateway_unavailable", "The tenant does not answer just now; try again in a moment.");
}
